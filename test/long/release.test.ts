import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
/** Two builds and two packs. */
const PATIENT_MS = 600_000

interface Component extends Readonly<Record<'name' | 'version' | 'purl', string>> {
  readonly properties: readonly { readonly name: string }[]
}

describe('npm run release', () => {
  /** A copy of the sources, because a build rewrites the files that other tests use. */
  let copy: string
  beforeAll(async () => {
    copy = await realpath(await mkdtemp(join(tmpdir(), 'petstore-mock-release-')))
    for (const name of [
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'docs',
      'fixtures',
      'package.json',
      'package-lock.json',
      'rolldown.config.ts',
      'spec',
      'src',
      'tools',
      'tsconfig.json',
    ]) {
      await cp(join(ROOT, name), join(copy, name), {
        recursive: true,
        filter: (path) => !/node_modules|[\\/]docs[\\/]site/.test(path.slice(ROOT.length)),
      })
    }
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')
    return () => rm(copy, { recursive: true })
  })

  function release(...args: string[]): Promise<{ stdout: string }> {
    // The temporary folder may be inside a checkout.
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() }
    return run(process.execPath, [join(copy, 'tools/release/release.ts'), ...args], { cwd: copy, env })
  }

  test('builds twice, and writes the packed file, notes and an SBOM', { timeout: PATIENT_MS }, async () => {
    const { stdout } = await release('--draft', '--no-matrix')
    expect(stdout).toMatch(/Both builds are the same, \d{3} files/)
    expect(stdout).toMatch(/petstore-mock-\S+\.tgz {2}SHA-256 [0-9a-f]{64}\n/)
    expect(stdout).toContain('Nothing was published.')

    const notes = await readFile(join(copy, 'release/notes.md'), 'utf8')
    expect(notes).toMatch(/^# petstore-mock \d+\.\d+\.\d+\n\n- /)

    const { metadata, components } = JSON.parse(await readFile(join(copy, 'release/sbom.cdx.json'), 'utf8')) as {
      metadata: { component: { name: string } }
      components: readonly Component[]
    }
    expect(metadata.component.name).toBe('petstore-mock')
    const purls = components.map(({ purl }) => purl)
    expect(purls).toContainEqual(expect.stringMatching(/^pkg:npm\/%40mswjs\/interceptors@\d/))
    for (const name of ['%40mswjs/data', 'yargs', 'cliui', 'valibot', 'yaml', 'preact', 'msw', 'tldts'])
      expect(purls).toContainEqual(expect.stringMatching(new RegExp(`^pkg:npm/${name}@\\d`)))
    expect(new Set(purls).size).toBe(purls.length)
    expect(purls.filter((purl) => /vitest|typescript|biome|redocly/.test(purl))).toEqual([])
    const bundled = components
      .filter(({ properties }) => properties.some(({ name }) => name === 'cdx:npm:package:bundled'))
      .map(({ name }) => name)
    expect(bundled).toContain('yargs')
    expect(bundled).not.toContain('@mswjs/interceptors')
  })

  test('refuses uncommitted changes', async () => {
    await run('git', ['init', '--quiet'], { cwd: copy })
    await expect(release('--no-matrix')).rejects.toMatchObject({
      stderr: expect.stringContaining(
        'Failed to release: there are uncommitted changes. Commit them, or pass --draft.',
      ),
    })
  })
})
