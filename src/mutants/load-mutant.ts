import type { Outcome } from '../http/outcome.ts'
import type { Awaitable, WireRequest } from '../http/wire-request.ts'
import type { Environment, MutablePipeline } from './apply-mutant.ts'

/** Answers a request. */
type Answer = (request: WireRequest) => Awaitable<Outcome>

/**
 * Changes a mock into the mutant that `petstore-mock mutate` names in the environment, and notes what it answers. The
 * mutants are imported only then, so that no page and no ordinary test suite loads them.
 * @returns The same function where no mutant is named.
 */
export function loadMutant(pipeline: MutablePipeline, answer: Answer): Answer {
  const { env } = (globalThis as { readonly process?: { readonly env?: Environment } }).process ?? {}
  if (!env?.PETSTORE_MOCK_MUTANT) return answer
  const mutant = import('./apply-mutant.ts').then(({ applyMutant }) => applyMutant(pipeline, env))
  return (request) => mutant.then((note) => note(request, answer(request)))
}
