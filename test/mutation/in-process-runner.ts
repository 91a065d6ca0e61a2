// A test runner for StrykerJS that keeps the tests and the modules in one process: with Vitest each mutant costs a new
// worker and all imports, a second; here it costs its tests. A module is imported anew only for a mutant that is in
// force while modules load, and a test file after one of its tests has failed. The tests are the same files; test/mutation/vitest.ts stands in for Vitest.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { LEFT_OUT, OWN_TESTS, ROOM, SOURCES, TESTS, UNLOADABLE } from './rooms.js'
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
const FINDINGS = 'tests.json'
/** What the tests of other rooms may take for one mutant, in milliseconds. */
const MOST_MS = 2000

class InProcessRunner {
  readonly #ns: Switchboard
  /** The copy of the repository that StrykerJS has made. */
  readonly #folder = process.cwd()
  readonly #files: readonly string[]
  #kit: Kit | undefined
  /** By test, in milliseconds. */
  #times: Counts = {}
  /** By file: the mutants that it meets beside its tests. */
  #beside: Record<string, readonly string[]> = {}
  /** The tests of files that were imported without a mutant, and have passed since. */
  readonly #collected = new Map<string, readonly Test[]>()

  constructor() {
    const world = globalThis as { __stryker__?: Switchboard }
    world.__stryker__ ??= {}
    this.#ns = world.__stryker__
    const files = TESTS.flatMap((path) => globSync(`test/${path}.test.ts`, { cwd: this.#folder }))
    this.#files = [...new Set(files)]
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
    // Each mutant is tried with generated cases again: the same ones, so that a score can be repeated, and fewer.
    fc.configureGlobal({ numRuns: 50, seed: 1 })
  }

  /** Says for each test which mutants it meets; what a file does beside them counts for all its tests. */
  async dryRun(): Promise<object> {
    for (const file of this.#files) await this.#collect(file)
    // Some modules are loaded only when they are needed.
    for (const path of globSync(SOURCES, { cwd: this.#folder, exclude: UNLOADABLE }))
      versions.modules.add(pathToFileURL(join(this.#folder, path)).href)
    this.#renew()
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
    writeFileSync(join(this.#folder, FINDINGS), JSON.stringify({ times: this.#times, beside: this.#beside }))
    return { status: 'complete', tests, mutantCoverage: this.#ns.mutantCoverage }
  }

  async mutantRun({ testFilter, hitLimit, activeMutant, mutantActivation }: MutantRun): Promise<object> {
    this.#readFindings()
    const isStatic = mutantActivation === 'static'
    if (isStatic) this.#renew()
    Object.assign(this.#ns, { activeMutant: activeMutant.id, hitLimit, hitCount: 0 })
    let nrOfTests = 0
    try {
      for (const [file, ids] of this.#toPlan(testFilter)) {
        let last = ''
        let failure: unknown
        try {
          if (this.#beside[file]?.includes(activeMutant.id) === true) this.#collected.delete(file)
          const tests = new Map((await this.#collect(file)).map((test) => [toId(file, test), test]))
          if (this.#beside[file]?.includes(activeMutant.id) === true) this.#collected.delete(file)
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
        this.#collected.delete(file)
        await this.#assertClean({ file, id: last, isStatic })
        return { status: 'killed', killedBy: [last || ids[0]], failureMessage: describe(failure), nrOfTests }
      }
      return { status: 'survived', nrOfTests }
    } finally {
      this.#ns.activeMutant = undefined
      if (isStatic) this.#renew()
    }
  }

  /** The test that has failed passes without the mutant: else StrykerJS tries the mutant again in a new process. */
  async #assertClean({ file, id, isStatic }: { file: string; id: string; isStatic: boolean }): Promise<void> {
    if (id === '') return
    if (isStatic) this.#renew()
    const test = (await this.#collect(file)).find((each) => toId(file, each) === id)
    const failure = test && (await this.#run([test], () => () => {}))
    if (failure !== undefined) throw new Error(`${id} fails without a mutant: ${describe(failure)}`)
  }

  /**
   * File by file, the quickest first: those of the room, then others as long as they take less than two seconds. For a
   * mutant that is in force while modules load StrykerJS would have all tests run; here those of the room do.
   */
  #toPlan(ids: readonly string[] | undefined): [string, string[]][] {
    const toTime = (id: string): number => this.#times[id] ?? 0
    const sorted = [...(ids ?? Object.keys(this.#times))].sort((one, other) => toTime(one) - toTime(other))
    const groups = Array.from(Map.groupBy(sorted, (id) => id.slice(0, id.indexOf('#'))))
    const plan = groups
      .map(([file, tests]) => ({ file, tests, time: tests.reduce((sum, id) => sum + toTime(id), 0) }))
      .sort((one, other) => one.time - other.time)
    const nearest = plan.filter(({ file }) => isNear(file))
    let left = ids === undefined ? 0 : MOST_MS
    const others = plan.filter(({ file, time }) => {
      if (isNear(file) || time > left) return false
      left -= time
      return true
    })
    return [...nearest, ...others].map(({ file, tests }) => [file, tests])
  }

  /** All modules are imported anew. */
  #renew(): void {
    versions.source++
    this.#collected.clear()
  }

  /** Another process has found out. */
  #readFindings(): void {
    if (Object.keys(this.#times).length > 0) return
    const { times, beside } = JSON.parse(readFileSync(join(this.#folder, FINDINGS), 'utf8')) as {
      times: Counts
      beside: Record<string, readonly string[]>
    }
    this.#times = times
    this.#beside = beside
  }

  async #collect(file: string): Promise<readonly Test[]> {
    const known = this.#collected.get(file)
    if (known !== undefined) return known
    versions.test++
    const url = `${pathToFileURL(join(this.#folder, file))}?source=${versions.source}&test=${versions.test}`
    const all = await (this.#kit as Kit).collect(() => import(url))
    const tests = all.filter(({ name }) => !LEFT_OUT.includes(name))
    this.#collected.set(file, tests)
    return tests
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
    this.#beside[file] = Object.keys(perTest[file] ?? {})
    delete perTest[file]
  }
}

/** `source` is that of all modules but the test files. */
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

/** Whether a file has the nearest tests: the room's own, or those of a whole request. */
function isNear(file: string): boolean {
  return file.startsWith(`test/${ROOM}/`) || [...OWN_TESTS, 'mock', 'runtimes/fetch'].includes(file.slice(5, -8))
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
