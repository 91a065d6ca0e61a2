import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BundledPackage, parseNotices } from '../third-party/notices.ts'

interface Manifest extends Readonly<Record<'name' | 'version' | 'license' | 'description', string>> {
  readonly dependencies: Readonly<Record<string, string>>
}

type Locked = Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>>

/** The parts of a CycloneDX document that are read here. */
interface Sbom {
  readonly components: unknown[]
  readonly dependencies: { readonly ref: string; readonly dependsOn: string[] }[]
}

/** The files that name what the build bundled. */
const NOTICES = ['dist/THIRD-PARTY-LICENSES.txt', 'dist/demo/THIRD-PARTY-LICENSES.txt']

/**
 * Creates the SBOM of the built package (CycloneDX): its dependencies with theirs, as `npm sbom` lists them, and the
 * packages that are bundled into it.
 */
export async function createSbom(root: string): Promise<string> {
  const sbom = await listDependencies(root)
  const notices = await Promise.all(NOTICES.map((file) => readFile(join(root, file), 'utf8')))
  const bundled = new Map(notices.flatMap(parseNotices).map((each) => [`${each.name}@${each.version}`, each]))
  const known = new Set(sbom.dependencies.map(({ ref }) => ref))
  for (const [ref, each] of bundled) {
    if (known.has(ref)) continue
    sbom.components.push(toComponent(each))
    sbom.dependencies.push({ ref, dependsOn: [] })
    sbom.dependencies[0]?.dependsOn.push(ref)
  }
  return `${JSON.stringify(sbom, null, 2)}\n`
}

/**
 * `npm sbom` cannot read this repository (EINVALIDPURLTYPE, because of its workspaces and overrides), so it gets a folder
 * with what the published package depends on.
 */
async function listDependencies(root: string): Promise<Sbom> {
  const { name, version, license, description, dependencies } = await readJson<Manifest>(join(root, 'package.json'))
  const { packages } = await readJson<{ packages: Locked }>(join(root, 'package-lock.json'))
  const manifest = { name, version, license, description, dependencies }
  const lock = {
    name,
    version,
    lockfileVersion: 3,
    packages: { '': manifest, ...selectNeeded(packages, dependencies) },
  }
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-sbom-'))
  try {
    // npm names the package after its folder.
    const own = join(folder, name)
    await mkdir(own)
    await writeFile(join(own, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(own, 'package-lock.json'), JSON.stringify(lock))
    const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=library']
    const { status, stdout, stderr } = spawnSync('npm', args, {
      cwd: own,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    if (status !== 0) throw new Error(`Failed to write the SBOM: npm sbom: ${stderr}`)
    return JSON.parse(stdout) as Sbom
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The part of a lockfile that some packages need, with the places of nested packages. */
function selectNeeded(packages: Locked, dependencies: Readonly<Record<string, string>>): Locked {
  const needed = new Map<string, Locked[string]>()
  const wanted = Object.keys(dependencies).map((name) => ({ name, from: '' }))
  for (const { name, from } of wanted) {
    const nested = `${from}/node_modules/${name}`
    const path = nested in packages ? nested : `node_modules/${name}`
    const locked = packages[path]
    if (locked === undefined || needed.has(path)) continue
    needed.set(path, locked)
    wanted.push(...Object.keys(locked.dependencies ?? {}).map((each) => ({ name: each, from: path })))
  }
  return Object.fromEntries(needed)
}

function toComponent({ name, version, license }: BundledPackage) {
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    // Of CycloneDX' list of names: https://github.com/CycloneDX/cyclonedx-property-taxonomy
    properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
    licenses: [{ license: { id: license } }],
  }
}

async function readJson<Content>(path: string): Promise<Content> {
  return JSON.parse(await readFile(path, 'utf8')) as Content
}
