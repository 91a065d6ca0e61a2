import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toStayBelow } from '../../aim.ts'
import type { BenchContext } from '../../context.ts'
import { ROOT, resolveFromRoot } from '../../root.ts'
import { countRow, type Row, skipRow } from '../../row.ts'

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund']

interface Installed {
  readonly bytes: number
  readonly packages: number
}

/** What an installation of the packed package puts on a disk, all of it. It asks the registry. */
export async function measureInstall(context: BenchContext): Promise<Row[]> {
  context.say('  npm install of the packed package')
  const version = readVersion('msw')
  try {
    const tarball = await pack(context)
    const without = await install(context, 'without-msw', [tarball])
    const withMsw = await install(context, 'with-msw', [tarball, `msw@${version}`])
    const what = 'npm i of the packed package'
    return [
      countRow({ id: 14, what, unit: 'MB', aim: toStayBelow(6, { unit: 'MB' }) }, without.bytes / 1024 ** 2),
      countRow({ id: 14, what, unit: 'packages', aim: toStayBelow(12, { unit: 'packages' }) }, without.packages),
      countRow(
        { id: 14, what: `${what} with msw`, unit: 'MB', aim: toStayBelow(22, { unit: 'MB' }) },
        withMsw.bytes / 1024 ** 2,
      ),
    ]
  } catch (error) {
    context.say((error as Error).message)
    return [skipRow(14, 'npm i of the packed package', 'npm failed')]
  }
}

function readVersion(name: string): string {
  return (JSON.parse(readFileSync(resolveFromRoot(`${name}/package.json`), 'utf8')) as { version: string }).version
}

async function pack({ processes, folder }: BenchContext): Promise<string> {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  const output = await processes.run('npm', args, { folder: fileURLToPath(ROOT) })
  return join(folder, output.trim())
}

async function install({ processes, folder }: BenchContext, name: string, packages: string[]): Promise<Installed> {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"private":true}')
  await processes.run('npm', ['install', ...QUIET, ...packages], { folder: project })
  const lock = readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8')
  const installed = (JSON.parse(lock) as { packages: object }).packages
  return { bytes: sumSizes(join(project, 'node_modules')), packages: Object.keys(installed).length }
}

function sumSizes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
