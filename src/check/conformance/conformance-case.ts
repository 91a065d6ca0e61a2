import type { OperationId } from '../../operations/define-operation.ts'
import type { CheckSession } from './check-session.ts'
import type { CheckRequest, Exchange } from './exchange.ts'

/** What a case rests on: the specification, or a decision of this project where the specification is silent. */
export type CaseSource = 'specification' | 'decision'

/** One behaviour that a service is checked for. */
export interface ConformanceCase {
  readonly operation: OperationId
  readonly title: string
  readonly source: CaseSource
  /** The status that the response should have. */
  readonly expected: number
  /** Why the case cannot be tried on this service; `undefined` where it can. */
  findObstacle(session: CheckSession): string | undefined
  run(session: CheckSession): Promise<CaseOutcome>
}

export interface CaseOutcome {
  readonly status: number
  /** What is not as the case expects, in a sentence. A service is free to deviate from a decision of ours. */
  readonly deviation: string | undefined
  /** What is wrong whatever the case rests on. Violations of the schema are reported by the exchanges. */
  readonly faults: readonly string[]
}

/** Looks at a response of the right status, and says in a sentence what is wrong with it. */
export type CaseRule = (response: Exchange) => string | undefined

/** A case of one request. */
export interface CaseDefinition extends Pick<ConformanceCase, 'operation' | 'title' | 'expected'> {
  /** @default 'specification' */
  readonly source?: CaseSource
  readonly request: (session: CheckSession) => Omit<CheckRequest, 'operation'>
  readonly rule?: CaseRule | undefined
}

export function defineCase({ request, rule, ...definition }: CaseDefinition): ConformanceCase {
  const { operation, expected } = definition
  return {
    source: 'specification',
    ...definition,
    findObstacle: () => undefined,
    async run(session) {
      const response = await session.send({ operation, ...request(session) })
      const deviation = findStatusDeviation(response, expected) ?? rule?.(response)
      return { status: response.status, deviation, faults: [] }
    },
  }
}

/** What holds for every case. An Error object with an empty code is valid by its schema and of no use. */
export function findStatusDeviation({ status, json }: Exchange, expected: number): string | undefined {
  if (status !== expected) return `The status is ${status} and should be ${expected}`
  if (expected < 400) return undefined
  const { code } = (json ?? {}) as { readonly code?: unknown }
  return code === '' ? 'The code of the Error object is empty' : undefined
}

/** A bearer token that is well formed and that no service is likely to have as a key. */
export const WRONG_KEY = 'petstore-check-wrong-key'
