import { type BaseUrls, toPathBelow } from '../http/base-url.ts'
import { MockError } from '../http/mock-error.ts'
import type { Outcome } from '../http/outcome.ts'
import type { Awaitable, WireRequest } from '../http/wire-request.ts'
import type { Rules } from '../inventory/profile.ts'
import { runOperation } from '../operations/operation.ts'
import { matchOperation } from '../operations/operations.ts'
import { type Change, findChange, type Turn, withMethods } from './mutants.ts'

type RunOperation = typeof runOperation

export interface MutablePipeline {
  options: { readonly baseUrl: BaseUrls; readonly rules: Rules; readonly runOperation?: RunOperation }
}

/** The name of the mock without a change, for the first run. */
export const SOUND = 'none'
/** Noted when the mutant has answered or stored anything that the sound mock would not have. */
export const ALTERED = 'altered'

type Note = (fact: string) => boolean

const NOTED = Symbol.for('petstore-mock.noted')

const platform = globalThis as unknown as {
  [NOTED]?: Set<string>
  readonly process: {
    readonly stderr: { write(text: string): void }
    getBuiltinModule(name: 'node:fs'): { writeFileSync(path: string, text: string, options: { flag: string }): void }
  }
}

export interface Environment {
  readonly PETSTORE_MOCK_MUTANT?: string
  /** The folder where facts are noted, as empty files. Without it, they are only kept in memory. */
  readonly PETSTORE_MOCK_MUTANT_NOTES?: string
  readonly NODE_ENV?: string
}

/**
 * Puts the change of a mutant into a mock.
 * @returns What notes the operation and status of each response.
 * @throws {MockError} `INVALID_OPTION` for an unknown name, and where `NODE_ENV` is `production`.
 */
export function applyMutant(
  pipeline: MutablePipeline,
  { PETSTORE_MOCK_MUTANT: name = SOUND, PETSTORE_MOCK_MUTANT_NOTES: folder, NODE_ENV: mode }: Environment,
): (request: WireRequest, pending: Awaitable<Outcome>) => Promise<Outcome> {
  if (mode === 'production')
    throw new MockError('INVALID_OPTION', `PETSTORE_MOCK_MUTANT=${name} is refused in production. Unset it.`)
  const note = createNotes(name, folder)
  if (name !== SOUND) {
    const change = name.startsWith('{') ? changeRules(pipeline, JSON.parse(name)) : findChange(name)
    const memory: Turn['memory'] = new WeakMap()
    const alter = (): void => void note(ALTERED)
    const isAmong: Turn['isAmong'] = (most) => Array.from({ length: most }).some((_, index) => note(`${index}`))
    const run: RunOperation = (given) => {
      const next: Turn['next'] = (changes) => runOperation({ ...given, ...changes })
      return change({ ...given, memory, next, alter, isAmong })
    }
    pipeline.options = { ...pipeline.options, runOperation: run }
    if (note('announced')) platform.process.stderr.write(`petstore-mock: this mock is the mutant ${name}.\n`)
  }
  return async (request, pending) => {
    const outcome = await pending
    const match = matchOperation(request.method, toPathBelow(pipeline.options.baseUrl, request.path))
    const { status } = outcome.type === 'fetch-response' ? outcome.response : { status: 0, ...outcome }
    if (match.kind === 'found' && status > 0) note(`${match.route.id} ${status}`)
    return outcome
  }
}

/** Changes the rules of the whole mock, and compares each response with that by its own rules. */
function changeRules(pipeline: MutablePipeline, point: Partial<Rules>): Change {
  const { rules } = pipeline.options
  pipeline.options = { ...pipeline.options, rules: { ...rules, ...point } }
  return async ({ state, next, alter }) => {
    const sound = await next({ rules, state: withMethods(state, { put: (pet) => pet }) })
    const response = await next()
    const isOther = sound.status !== response.status || String(sound.body) !== String(response.body)
    // The pipeline has decided about the key by the changed rules already.
    const isOfKey = 'lowerCaseScheme' in point || 'challenge' in point || 'codes' in point
    if (isOther || (isOfKey && response.status === 401)) alter()
    return response
  }
}

/** All mocks and processes of a run share the folder. Like an interception, the memory belongs to the realm. */
function createNotes(name: string, folder: string | undefined): Note {
  platform[NOTED] ??= new Set()
  const noted = platform[NOTED]
  return (fact) => {
    const key = `${folder} ${name} ${fact}`
    const isFirst = !noted.has(key)
    noted.add(key)
    if (!isFirst || folder === undefined) return isFirst
    try {
      // Not imported, because the core has no Node, and a test may replace the module.
      platform.process.getBuiltinModule('node:fs').writeFileSync(`${folder}/${fact}`, '', { flag: 'wx' })
      return true
    } catch {
      return false
    }
  }
}
