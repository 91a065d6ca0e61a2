// Prepares a release in `release/`: the packed file, its notes and its SBOM. Publishes nothing.
//
//   npm run release                   with the matrix (ten minutes)
//   npm run release -- --no-matrix    without it
//   npm run release -- --draft        also with uncommitted changes, before the changelog has a date, or without the
//                                     addresses in package.json
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { assertSame, buildPackage, toDigest } from './build-package.ts'
import { createSbom } from './create-sbom.ts'
import { toNotes } from './to-notes.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** Emptied by each run. */
const OUT = join(ROOT, 'release')

try {
  await release()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function release(): Promise<void> {
  const { values } = parseArgs({
    options: {
      matrix: { type: 'boolean', default: true },
      draft: { type: 'boolean', default: false },
    },
    allowNegative: true,
  })
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const { version } = manifest
  const notes = toNotes(await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8'), version)
  if (!values.draft) {
    assertFinal(version, notes.date)
    assertAddresses(manifest)
  }

  console.log('Building twice…')
  const spare = await mkdtemp(join(tmpdir(), 'petstore-mock-release-'))
  const first = await buildPackage(ROOT, spare)
  const { file, digests } = await buildPackage(ROOT, OUT)
  await assertSame(first, { file, digests })
  await rm(spare, { recursive: true })
  console.log(`Both builds are the same, ${digests.size} files.`)

  await writeFile(join(OUT, 'notes.md'), notes.text)
  await writeFile(join(OUT, 'sbom.cdx.json'), await createSbom(ROOT))
  if (values.matrix) tryMatrix(file)

  console.log(`${OUT}:`)
  console.log(`  ${basename(file)}  SHA-256 ${await toDigest(file)}`)
  console.log('  notes.md')
  console.log('  sbom.cdx.json')
  console.log(`Nothing was published. To publish: npm publish ${file}`)
}

/** A release can be built again from its commit, and its changelog has a date. */
function assertFinal(version: string, date: string): void {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0 || stdout !== '') {
    throw new Error('Failed to release: there are uncommitted changes. Commit them, or pass --draft.')
  }
  if (/^\d{4}-\d\d-\d\d$/.test(date)) return
  throw new Error(`Failed to release: CHANGELOG.md says "${version} (${date})". Write the date there, or pass --draft.`)
}

/** Registries resolve the links and pictures of the README against the repository. */
function assertAddresses(manifest: object): void {
  const missing = ['repository', 'homepage', 'bugs'].filter((name) => !(name in manifest))
  if (missing.length === 0) return
  throw new Error(`Failed to release: package.json has no ${missing.join(', ')}. Add them, or pass --draft.`)
}

function tryMatrix(file: string): void {
  const script = join(ROOT, 'test/matrix/run.ts')
  const { status } = spawnSync(process.execPath, [script, '--file', file], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) throw new Error('Failed to release: the matrix found a problem, see above.')
}
