import { beforeAll, describe } from 'vitest'
import { connectChromium } from '../connect-chromium.ts'
import { toEngine } from './chromium.ts'
import { ENGINES, type Engine, type EngineName } from './engine.ts'
import { explainNoEngine, startEngine } from './start-engine.ts'

/** The tests of a suite get the engine by this; it runs from before the first of them to the end of the suite. */
export type GetEngine = () => Engine

/**
 * Declares a suite for each engine. If the engine is missing, the suite is skipped with a hint how to install it, or fails
 * if `CI` is set.
 */
export function describeEngines(
  title: string,
  declare: (getEngine: GetEngine) => void,
  engines: readonly EngineName[] = ENGINES,
): void {
  for (const name of engines) {
    const problem = explainNoEngine(name)
    const isSkipped = problem !== undefined && !process.env['CI']
    if (isSkipped) console.warn(`${problem} Until then they are skipped.`)
    describe.skipIf(isSkipped)(`${title} in ${name}`, () => declare(useEngine(name)))
  }
}

function useEngine(name: EngineName): GetEngine {
  let engine: Engine | undefined
  beforeAll(async () => {
    engine = name === 'chromium' ? toEngine(await connectChromium()) : await startEngine(name)
    return () => engine?.close()
  })
  return () => {
    if (engine === undefined) throw new Error(`${name} has not started.`)
    return engine
  }
}
