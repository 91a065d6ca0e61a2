import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The digest of each built file, by its path. */
export type Digests = ReadonlyMap<string, string>

export interface BuiltPackage {
  /** The path of the packed file. */
  readonly file: string
  readonly digests: Digests
}

/** Builds the package and packs it into a folder, which is emptied first. */
export async function buildPackage(root: string, folder: string): Promise<BuiltPackage> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  npm(root, ['run', 'build'])
  // The build above is what `prepack` would run.
  npm(root, ['pack', '--ignore-scripts', '--pack-destination', folder])
  const names = await readdir(folder)
  const digests = new Map<string, string>()
  for (const entry of await readdir(join(root, 'dist'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) digests.set(path, await toDigest(path))
  }
  return { file: join(folder, names.find((name) => name.endsWith('.tgz')) ?? ''), digests }
}

/** Throws unless two builds gave the same bytes. */
export async function assertSame(first: BuiltPackage, second: BuiltPackage): Promise<void> {
  const paths = new Set([...first.digests.keys(), ...second.digests.keys()])
  const different = [...paths].filter((path) => first.digests.get(path) !== second.digests.get(path))
  if ((await toDigest(first.file)) !== (await toDigest(second.file))) different.push(second.file)
  if (different.length === 0) return
  throw new Error(`Failed to repeat the build: a second build differs in ${different.join(', ')}.`)
}

export async function toDigest(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}

function npm(root: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`Failed to run npm ${args.join(' ')}: ${error?.message ?? stderr}`)
}
