// What the tests import as `vitest` while mutants are tried: the same functions, over a list of tests that
// in-process-runner.ts can run again and again. `expect` and `vi` are Vitest's own.
import { vi, expect as vitestExpect } from 'vitest'

type Body = (context: TestContext) => unknown
type Row = readonly unknown[]

export interface TestContext {
  readonly onTestFinished: (callback: () => unknown) => void
  readonly expect: typeof vitestExpect
}

export interface Suite {
  readonly name: string
  readonly parent: Suite | undefined
  readonly hooks: Readonly<Record<'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach', (() => unknown)[]>>
}

export interface Test {
  readonly name: string
  readonly suite: Suite
  readonly body: Body
}

/** What the file that is being imported has defined up to here. */
const state = { suite: createSuite('', undefined), tests: [] as Test[], finished: [] as (() => unknown)[] }

export async function collect(importFile: () => Promise<unknown>): Promise<readonly Test[]> {
  state.suite = createSuite('', undefined)
  state.tests = []
  await importFile()
  return state.tests
}

/** Runs the tests of one file in turn until one fails; `onTest` hears when each begins. */
export async function runTests(tests: readonly Test[], onTest: (test: Test) => () => void): Promise<unknown> {
  const opened: { readonly suite: Suite; readonly cleanups: readonly unknown[] }[] = []
  /** Ends the suites that the next test is not in. */
  const leave = async (path: readonly Suite[]): Promise<void> => {
    for (let last = opened.at(-1); last !== undefined && !path.includes(last.suite); last = opened.at(-1)) {
      opened.pop()
      for (const hook of [...last.suite.hooks.afterAll, ...last.cleanups]) if (typeof hook === 'function') await hook()
    }
  }
  let failure: unknown
  try {
    for (const test of tests) {
      const path = toPath(test.suite)
      await leave(path)
      for (const suite of path.slice(opened.length)) {
        const cleanups: unknown[] = []
        opened.push({ suite, cleanups })
        for (const hook of suite.hooks.beforeAll) cleanups.push(await hook())
      }
      const end = onTest(test)
      try {
        await endWithin(runTest(test), TEST_LIMIT_MS)
      } finally {
        end()
      }
    }
  } catch (error) {
    failure = error ?? new Error('undefined was thrown')
  }
  try {
    await leave([])
  } catch (error) {
    failure ??= error
  }
  return failure
}

/** In milliseconds. A test that a mutant makes wait for ever ends here; the slowest takes a fifth of it. */
const TEST_LIMIT_MS = 10_000

/** What a test waited for did not come. */
export class TestTimeout extends Error {}

const { setTimeout, clearTimeout } = globalThis

async function endWithin(running: Promise<void>, limit: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TestTimeout(`The test takes more than ${limit} ms`)), limit)
  })
  try {
    await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
  }
}

async function runTest({ suite, body }: Test): Promise<void> {
  vi.restoreAllMocks()
  const path = toPath(suite)
  state.finished = []
  try {
    for (const { hooks } of path) for (const hook of hooks.beforeEach) await hook()
    await body({ onTestFinished, expect })
  } finally {
    for (const { hooks } of path.reverse()) for (const hook of hooks.afterEach) await hook()
    for (const callback of state.finished.reverse()) await callback()
  }
}

export function onTestFinished(callback: () => unknown): void {
  state.finished.push(callback)
}

function toPath(suite: Suite | undefined): Suite[] {
  return suite === undefined ? [] : [...toPath(suite.parent), suite]
}

function createSuite(name: string, parent: Suite | undefined): Suite {
  return { name, parent, hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] } }
}

export const beforeAll = (hook: () => unknown): void => void state.suite.hooks.beforeAll.push(hook)
export const afterAll = (hook: () => unknown): void => void state.suite.hooks.afterAll.push(hook)
export const beforeEach = (hook: () => unknown): void => void state.suite.hooks.beforeEach.push(hook)
export const afterEach = (hook: () => unknown): void => void state.suite.hooks.afterEach.push(hook)

function defineTest(name: string, ...rest: readonly unknown[]): void {
  state.tests.push({ name, suite: state.suite, body: toBody(rest) })
}

function defineSuite(name: string, ...rest: readonly unknown[]): void {
  const parent = state.suite
  state.suite = createSuite(name, parent)
  const result = toBody(rest)({ onTestFinished, expect })
  if (result instanceof Promise) throw new Error(`The suite ${name} is asynchronous, which is not supported here.`)
  state.suite = parent
}

/** Between name and body, or after both, there may be options. */
function toBody(rest: readonly unknown[]): Body {
  return rest.find((each) => typeof each === 'function') as Body
}

type Define = (name: string, ...rest: readonly unknown[]) => void

/** The rows are told apart by their numbers: nobody reads these names. */
function forEachRow(define: Define, { spread }: { spread: boolean }) {
  return (rows: readonly unknown[]) =>
    (name: string, ...rest: readonly unknown[]): void => {
      const body = toBody(rest) as (...row: Row) => unknown
      const isSpread = spread && rows.every(Array.isArray)
      for (const [index, row] of rows.entries()) {
        define(`${name} (${index})`, (context: TestContext) => (isSpread ? body(...(row as Row)) : body(row, context)))
      }
    }
}

function withModes(define: Define): unknown {
  const inTurn = Object.assign((...definition: Parameters<Define>) => define(...definition), {
    each: forEachRow(define, { spread: true }),
    for: forEachRow(define, { spread: false }),
    skipIf: (condition: unknown) => withModes(condition ? () => {} : define),
    // Tests with fixtures are left out.
    extend: () => withModes(() => {}),
  })
  return Object.assign(inTurn, { concurrent: inTurn })
}

export const test: unknown = withModes(defineTest)
export const describe: unknown = withModes(defineSuite)

/** In milliseconds: how long a test waits for an event, which with a mutant may never come. */
const PATIENCE_MS = 3000

/** Vitest's own asks for the test that is running. */
function poll(callback: () => unknown): object {
  const toAssertion = (isNegated: boolean): object =>
    new Proxy(
      {},
      {
        get(_, name: string) {
          if (name === 'not') return toAssertion(!isNegated)
          return (...args: Row) => vi.waitFor(() => check({ name, isNegated, args }), { timeout: PATIENCE_MS })
        },
      },
    )
  const check = async ({ name, isNegated, args }: { name: string; isNegated: boolean; args: Row }): Promise<void> => {
    const assertion = vitestExpect(await callback())
    const matchers = (isNegated ? assertion.not : assertion) as unknown as Record<string, (...args: Row) => void>
    matchers[name]?.(...args)
  }
  return toAssertion(false)
}

export const expect: typeof vitestExpect = Object.assign(
  (value: unknown, message?: string) => vitestExpect(value, message),
  vitestExpect,
  { poll },
) as never

export { vi }
