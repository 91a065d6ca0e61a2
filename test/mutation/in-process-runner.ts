// A test runner for StrykerJS that keeps the tests and the modules in one process: with Vitest each mutant costs a new
// worker and all imports, a second; here it costs its tests. A module is imported anew only for a mutant that is in
// force while modules load. The tests are the same files; test/mutation/vitest.ts stands in for Vitest.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { LEFT_OUT, TESTS } from './rooms.js'
import type { Test } from './vitest.ts'

/** What the mutated modules share with StrykerJS. */
interface Switchboard {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitLimit?: number | undefined
  hitCount?: number | undefined
  mutantCoverage?: Coverage | undefined
}

type Counts = Record<string, number>

interface Coverage {
  static: Counts
  perTest: Record<string, Counts>
}

interface MutantRun {
  readonly testFilter?: readonly string[]
  readonly hitLimit?: number
  readonly activeMutant: { readonly id: string }
  readonly mutantActivation: 'runtime' | 'static'
}

type Kit = typeof import('./vitest.ts')

const HERE = import.meta.url
const TIMES = 'test-times.json'

class InProcessRunner {
  readonly #ns: Switchboard
  /** The copy of the repository that StrykerJS has made. */
  readonly #folder = process.cwd()
  readonly #files: readonly string[]
  #kit: Kit | undefined
  #times: Counts = {}

  constructor() {
    const world = globalThis as { __stryker__?: Switchboard }
    world.__stryker__ ??= {}
    this.#ns = world.__stryker__
    this.#files = TESTS.flatMap((path) => globSync(`test/${path}.test.ts`, { cwd: this.#folder }))
  }

  capabilities(): { reloadEnvironment: boolean } {
    return { reloadEnvironment: true }
  }

  async init(): Promise<void> {
    // `expect` and `vi` look for their worker's settings.
    Object.assign(globalThis, { __vitest_worker__: { config: { fakeTimers: {}, snapshotOptions: {} }, ctx: {} } })
    // What a mutant leaves behind may fail later, under another.
    process.on('unhandledRejection', () => {})
    process.on('uncaughtException', () => {})
    console.error = console.warn = console.info = () => {}
    serveModules(pathToFileURL(`${this.#folder}/`).href)
    this.#kit = await import('./vitest.ts')
    await import('./setup.ts')
  }

  /** Says for each test which mutants it meets; what a file does beside them counts for all its tests. */
  async dryRun(): Promise<object> {
    for (const file of this.#files) await this.#collect(file)
    versions.source++
    // Without a test in force: what counts here are the modules alone, not what the files have done with them.
    this.#ns.mutantCoverage = undefined
    for (const module of versions.modules) await import(`${module}?source=${versions.source}`)
    const tests: object[] = []
    for (const file of this.#files) {
      this.#ns.currentTestId = file
      const collected = await this.#collect(file)
      const ids: string[] = []
      const failure = await this.#run(collected, (test) => {
        const id = toId(file, test)
        const start = performance.now()
        ids.push(id)
        this.#ns.currentTestId = id
        return () => {
          this.#ns.currentTestId = file
          this.#times[id] = performance.now() - start
          tests.push({
            id,
            name: toName(test),
            timeSpentMs: this.#times[id],
            fileName: join(this.#folder, file),
            status: 0,
          })
        }
      })
      if (failure !== undefined) return { status: 'error', errorMessage: `${ids.at(-1)}: ${describe(failure)}` }
      if (new Set(ids).size < ids.length) return { status: 'error', errorMessage: `Two tests of ${file} share a name.` }
      this.#spread(file, ids)
    }
    this.#ns.currentTestId = undefined
    writeFileSync(join(this.#folder, TIMES), JSON.stringify(this.#times))
    return { status: 'complete', tests, mutantCoverage: this.#ns.mutantCoverage }
  }

  async mutantRun({ testFilter, hitLimit, activeMutant, mutantActivation }: MutantRun): Promise<object> {
    if (Object.keys(this.#times).length === 0)
      this.#times = JSON.parse(readFileSync(join(this.#folder, TIMES), 'utf8')) as Counts
    const isStatic = mutantActivation === 'static'
    if (isStatic) versions.source++
    Object.assign(this.#ns, { activeMutant: activeMutant.id, hitLimit, hitCount: 0 })
    let nrOfTests = 0
    try {
      for (const [file, ids] of this.#toPlan(testFilter ?? Object.keys(this.#times))) {
        let last = ''
        let failure: unknown
        try {
          const tests = new Map((await this.#collect(file)).map((test) => [toId(file, test), test]))
          const chosen = ids.map((id) => tests.get(id)).filter((test) => test !== undefined)
          nrOfTests += chosen.length
          if (chosen.length < ids.length) failure = new Error('The tests are others.')
          failure ??= await this.#run(chosen, (test) => {
            last = toId(file, test)
            return () => {}
          })
        } catch (error) {
          failure = error
        }
        if ((this.#ns.hitCount ?? 0) > (hitLimit ?? Infinity)) return { status: 'timeout', reason: 'Hit limit reached' }
        if (failure instanceof (this.#kit as Kit).TestTimeout) return { status: 'timeout', reason: failure.message }
        if (failure === undefined) continue
        this.#ns.activeMutant = undefined
        await this.#assertClean({ file, id: last, isStatic })
        return { status: 'killed', killedBy: [last || ids[0]], failureMessage: describe(failure), nrOfTests }
      }
      return { status: 'survived', nrOfTests }
    } finally {
      this.#ns.activeMutant = undefined
      if (isStatic) versions.source++
    }
  }

  /** The test that has failed passes without the mutant: else StrykerJS tries the mutant again in a new process. */
  async #assertClean({ file, id, isStatic }: { file: string; id: string; isStatic: boolean }): Promise<void> {
    if (id === '') return
    if (isStatic) versions.source++
    const test = (await this.#collect(file)).find((each) => toId(file, each) === id)
    const failure = test && (await this.#run([test], () => () => {}))
    if (failure !== undefined) throw new Error(`${id} fails without a mutant: ${describe(failure)}`)
  }

  /** The quickest first, file by file. */
  #toPlan(ids: readonly string[]): [string, string[]][] {
    const plan = Map.groupBy(
      [...ids].sort((one, other) => (this.#times[one] ?? 0) - (this.#times[other] ?? 0)),
      (id) => id.slice(0, id.indexOf('#')),
    )
    const toTime = ([, group]: [string, string[]]): number => group.reduce((sum, id) => sum + (this.#times[id] ?? 0), 0)
    return Array.from(plan).sort((one, other) => toTime(one) - toTime(other))
  }

  async #collect(file: string): Promise<readonly Test[]> {
    versions.test++
    const url = `${pathToFileURL(join(this.#folder, file))}?source=${versions.source}&test=${versions.test}`
    const tests = await (this.#kit as Kit).collect(() => import(url))
    return tests.filter(({ name }) => !LEFT_OUT.includes(name))
  }

  async #run(tests: readonly Test[], onTest: (test: Test) => () => void): Promise<unknown> {
    const failure = await (this.#kit as Kit).runTests(tests, onTest)
    // What was left over ends while it is still known where it comes from.
    await new Promise((resolve) => setImmediate(resolve))
    return failure
  }

  #spread(file: string, ids: readonly string[]): void {
    const perTest = this.#ns.mutantCoverage?.perTest ?? {}
    for (const [mutant, hits] of Object.entries(perTest[file] ?? {})) {
      for (const id of ids) {
        perTest[id] ??= {}
        perTest[id][mutant] = (perTest[id][mutant] ?? 0) + hits
      }
    }
    delete perTest[file]
  }
}

/** `source` is that of all modules but the test files, which are imported for each mutant. */
const versions = { source: 0, test: 0, modules: new Set<string>() }

/** Gives the modules of the sandbox a version each, and Vitest's place to vitest.ts. */
function serveModules(root: string): void {
  const kit = new URL('vitest.ts', HERE).href
  const stripped = new Map<string, string>()
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const isOurs = context.parentURL?.startsWith(root) === true && !context.parentURL.includes('/node_modules/')
      if (!isOurs || context.parentURL === kit) return nextResolve(specifier, context)
      if (specifier === 'vitest') return { url: kit, shortCircuit: true }
      const resolved = nextResolve(specifier, context)
      if (!resolved.url.startsWith(root) || resolved.url.includes('/node_modules/')) return resolved
      const url = resolved.url.replace(/\?.*/, '')
      if (/\/src\/.*\.ts$/.test(url)) versions.modules.add(url)
      const source = /[?&]source=(\d+)/.exec(context.parentURL ?? '')?.[1] ?? versions.source
      return { ...resolved, url: `${url}?source=${source}` }
    },
    load(url, context, nextLoad) {
      if (!url.startsWith(root) || !/\.ts\?/.test(url)) return nextLoad(url, context)
      const path = fileURLToPath(url.replace(/\?.*/, ''))
      let source = stripped.get(path)
      source ??= stripTypeScriptTypes(readFileSync(path, 'utf8'))
      stripped.set(path, source)
      return { format: 'module', source, shortCircuit: true }
    },
  })
}

function toName({ name, suite }: Test): string {
  const names = [name]
  for (let each: Test['suite'] | undefined = suite; each !== undefined; each = each.parent) names.unshift(each.name)
  return names.join(' ').trim()
}

function toId(file: string, test: Test): string {
  return `${file}#${toName(test)}`
}

function describe(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}

/** Where StrykerJS looks for it. */
export const strykerPlugins: readonly object[] = [
  { kind: 'TestRunner', name: 'in-process', factory: (): InProcessRunner => new InProcessRunner() },
]
