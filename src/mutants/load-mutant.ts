import { createErrorResponse } from '../http/error-response.ts'
import type { Outcome } from '../http/outcome.ts'
import type { Awaitable, WireRequest } from '../http/wire-request.ts'
import type { MutablePipeline, Process } from './apply-mutant.ts'

type Answer = (request: WireRequest) => Awaitable<Outcome>

/** Imports the mutants only if the environment names one, so that no page and no ordinary test suite loads them. */
export function loadMutant(pipeline: MutablePipeline, answer: Answer): Answer {
  const { process } = globalThis as { readonly process?: Process }
  if (!process?.env?.['PETSTORE_MOCK_MUTANT']) return answer
  const mutant = import('./apply-mutant.ts').then(({ applyMutant }) => applyMutant(pipeline, process))
  const refuse = ({ message }: Error): Outcome => createErrorResponse('internal_error', message)
  // Each request says what is wrong. Without one, nobody would handle the rejection.
  mutant.catch(() => {})
  return (request) => mutant.then((mutate) => mutate(request, () => answer(request)), refuse)
}
