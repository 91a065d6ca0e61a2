import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { runProgram } from '../run-program.ts'
import { type Cell, type Manager, RUNTIMES } from './cells.ts'

const PROJECTS = resolve(import.meta.dirname, 'projects')
/** As much of what a failed command wrote is shown. */
const SHOWN = 3000

/** `problem` is what the failed command wrote. */
export interface Outcome {
  readonly problem: string | undefined
}

interface ManagerProgram {
  /** What brings the program. */
  readonly packages: Readonly<Record<string, string>>
  readonly install: readonly string[]
  /** Files that it needs beside package.json. */
  readonly files?: Readonly<Record<string, string>>
}

const NPM_INSTALL = 'npm install --no-audit --no-fund'

const MANAGERS: Readonly<Record<Manager, ManagerProgram>> = {
  npm: { packages: {}, install: [NPM_INSTALL] },
  pnpm: { packages: { pnpm: '12.21.0' }, install: ['pnpm install --no-frozen-lockfile'] },
  'yarn 1': { packages: { yarn: '1.22.22' }, install: ['yarn install --no-lockfile --non-interactive'] },
  'yarn 4 (PnP)': {
    packages: { '@yarnpkg/cli-dist': '4.18.1' },
    install: ['yarn install --no-immutable'],
    // A folder of its own, so that yarn does not look for a project further up.
    files: { 'yarn.lock': '', '.yarnrc.yml': 'enableTelemetry: false\nenableGlobalCache: true\n' },
  },
  bun: { packages: { bun: RUNTIMES.bun }, install: ['bun install'] },
  // Deno installs no packed file, only what a registry or npm brought.
  deno: { packages: { deno: RUNTIMES.deno }, install: [NPM_INSTALL] },
}

/** Installs the package managers that the cells name, each in a folder of its own. */
export async function installManagers(folder: string, cells: readonly Cell[]): Promise<ReadonlyMap<Manager, string>> {
  const programs = new Map<Manager, string>()
  for (const manager of new Set(cells.map((cell) => cell.manager ?? 'npm'))) {
    const { packages } = MANAGERS[manager]
    if (Object.keys(packages).length === 0) continue
    const own = join(folder, manager.replaceAll(/\W/g, '-'))
    await mkdir(own, { recursive: true })
    await writeFile(join(own, 'package.json'), JSON.stringify({ private: true, dependencies: packages }))
    const { isDone, output } = await runCommand(NPM_INSTALL.split(' '), { cwd: own })
    if (!isDone) throw new Error(`${manager} cannot be installed: ${output}`)
    programs.set(manager, join(own, 'node_modules/.bin'))
  }
  return programs
}

/** Where the cells run. */
export interface Bench {
  readonly folder: string
  /** The packed package. */
  readonly file: string
  readonly programs: ReadonlyMap<Manager, string>
  /** The projects so far. Cells that differ only in their title and commands share one. */
  readonly projects: Map<string, Promise<Project>>
}

interface Project extends Outcome {
  readonly cwd: string
  readonly path: string
}

/** Installs a cell's packages in a new folder, unless that is done, and runs its commands. */
export async function tryCell({ title: _, run, ...content }: Cell, bench: Bench): Promise<Outcome> {
  const key = JSON.stringify(content)
  const creating = bench.projects.get(key) ?? createProject(content, bench)
  bench.projects.set(key, creating)
  const project = await creating
  return project.problem === undefined ? runAll(run, project, bench) : project
}

async function createProject(
  { manager = 'npm', packages = {}, files, manifest = {} }: Omit<Cell, 'title' | 'run'>,
  bench: Bench,
): Promise<Project> {
  const cwd = await mkdtemp(join(bench.folder, 'cell-'))
  const dependencies = { 'petstore-mock': `file:${bench.file}`, ...packages }
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ name: 'cell', private: true, ...manifest, dependencies }))
  for (const each of files) {
    if (typeof each === 'string') await cp(join(PROJECTS, each), join(cwd, basename(each)))
    else {
      await mkdir(dirname(join(cwd, each.name)), { recursive: true })
      await writeFile(join(cwd, each.name), each.content)
    }
  }
  const { install, files: own = {} } = MANAGERS[manager]
  for (const [name, content] of Object.entries(own)) await writeFile(join(cwd, name), content)
  const path = [join(cwd, 'node_modules/.bin'), bench.programs.get(manager) ?? '', process.env['PATH']].join(delimiter)
  return { cwd, path, ...(await runAll(install, { cwd, path }, bench)) }
}

async function runAll(
  lines: Cell['run'],
  { cwd, path }: Pick<Project, 'cwd' | 'path'>,
  { file }: Bench,
): Promise<Outcome> {
  for (const line of lines) {
    const command = line
      .split(' ')
      .map((word) => word.replace('{packed}', file).replace('{matrix}', import.meta.dirname))
    const { isDone, output } = await runCommand(command, { cwd, env: { PATH: path } })
    if (!isDone) return { problem: `${command.join(' ')}\n${output.slice(-SHOWN)}` }
  }
  return { problem: undefined }
}

/** In milliseconds: ends what hangs. */
const LIMIT_MS = 300_000

/** npm sets NODE_ENV for scripts where .npmrc omits dev packages; a user's shell has none. */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<{ readonly isDone: boolean; readonly output: string }> {
  const options = { cwd, env: { NODE_ENV: undefined, ...env }, timeout: LIMIT_MS, shell: process.platform === 'win32' }
  const { exitCode, output } = await runProgram(program, args, options)
  return { isDone: exitCode === 0, output }
}
