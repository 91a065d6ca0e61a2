import { type BaseUrls, toPathBelow } from '../http/base-url.ts'
import { MockError } from '../http/mock-error.ts'
import type { Outcome } from '../http/outcome.ts'
import type { Awaitable, WireRequest } from '../http/wire-request.ts'
import type { Rules } from '../inventory/profile.ts'
import { matchOperation, runOperation } from '../operations/operations.ts'
import { createFaultResponse } from '../sandbox/fault.ts'
import { findMutant } from './contract-changes.ts'
import { type Change, type Turn, withMethods } from './mutants.ts'

export interface MutablePipeline {
  options: { readonly baseUrl: BaseUrls; readonly rules: Rules; readonly runOperation?: typeof runOperation }
}

/** The part of Node's `process` that a mutant needs. The core has no Node. */
export interface Process {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stderr: { write(text: string): void }
  /** Not an import, because a test may replace the module. */
  getBuiltinModule(name: 'node:fs'): { writeFileSync(path: string, text: string, options: { flag: string }): void }
}

/** The name of the mock without a change, for the first run. */
export const SOUND = 'none'
export const ALTERED = 'altered'

/** @throws {MockError} `INVALID_OPTION` for an unknown name, and where `NODE_ENV` is `production`. */
export function applyMutant(
  pipeline: MutablePipeline,
  process: Process,
): (request: WireRequest, answer: () => Awaitable<Outcome>) => Promise<Outcome> {
  const { PETSTORE_MOCK_MUTANT: name = SOUND, NODE_ENV: mode } = process.env
  if (mode === 'production')
    throw new MockError('INVALID_OPTION', `PETSTORE_MOCK_MUTANT=${name} is refused in production. Unset it.`)
  const note = createNotes(name, process)
  if (name !== SOUND) {
    const change = name.startsWith('{') ? changeRules(pipeline, JSON.parse(name)) : findMutant(name).change
    const memory: Turn['memory'] = new WeakMap()
    const isAmong: Turn['isAmong'] = (most) => Array.from({ length: most }).some((_, index) => note(`${index}`))
    const run: typeof runOperation = (given) => {
      const next: Turn['next'] = (changes) => runOperation({ ...given, ...changes })
      return change({ ...given, memory, next, isAmong, alter: () => void note(ALTERED) })
    }
    pipeline.options = { ...pipeline.options, runOperation: run }
    if (note('announced')) process.stderr.write(`petstore-mock: this mock is the mutant ${name}.\n`)
  }
  return async (request, answer) => {
    const match = matchOperation(request.method, toPathBelow(pipeline.options.baseUrl, request.path))
    // Before stubs and handlers: only they answer an operation that is not specified.
    const isGone = match.kind === 'found' && name === `${match.route.path} was removed`
    if (isGone) note(ALTERED)
    const outcome = isGone ? createFaultResponse({ status: 410 }, pipeline.options.rules) : await answer()
    const { status } = outcome.type === 'fetch-response' ? outcome.response : { status: 0, ...outcome }
    if (match.kind === 'found' && status > 0) note(`${match.route.id} ${status}`)
    return outcome
  }
}

function changeRules(pipeline: MutablePipeline, point: Partial<Rules>): Change {
  const { rules } = pipeline.options
  pipeline.options = { ...pipeline.options, rules: { ...rules, ...point } }
  // The pipeline has decided about the key by the changed rules already.
  const isOfKey = ['lowerCaseScheme', 'challenge', 'codes'].some((each) => each in point)
  return async ({ state, next, alter }) => {
    const sound = await next({ rules, state: withMethods(state, { put: (pet) => pet }) })
    const response = await next()
    const isOther = sound.status !== response.status || String(sound.body) !== String(response.body)
    if (isOther || (isOfKey && response.status === 401)) alter()
    return response
  }
}

const NOTED = Symbol.for('petstore-mock.noted')

/** Notes facts as empty files, and tells whether one is new. All mocks of a run share the folder, those of a realm the memory. */
function createNotes(name: string, { env, getBuiltinModule }: Process): (fact: string) => boolean {
  const realm = globalThis as { [NOTED]?: Set<string> }
  realm[NOTED] ??= new Set()
  const noted = realm[NOTED]
  const { PETSTORE_MOCK_MUTANT_NOTES: folder } = env
  return (fact) => {
    const key = `${folder} ${name} ${fact}`
    const isNew = !noted.has(key)
    noted.add(key)
    if (!isNew || folder === undefined) return isNew
    try {
      getBuiltinModule('node:fs').writeFileSync(`${folder}/${fact}`, '', { flag: 'wx' })
      return true
    } catch {
      return false
    }
  }
}
