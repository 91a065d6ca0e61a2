import type { OperationId } from '../../operations/define-operation.ts'
import type { Difference } from '../diff/find-difference.ts'
import type { CheckSession } from './check-session.ts'
import type { CheckRequest, Exchange } from './exchange.ts'

/** The basis of a case: the specification, or this project's decision where the specification is silent. */
export type CaseSource = 'specification' | 'decision'

/** One behaviour to check. */
export interface ConformanceCase {
  readonly operation: OperationId
  readonly title: string
  readonly source: CaseSource
  /** The expected status. */
  readonly expected: number
  /** Why the case cannot run against this service; `undefined` if it can. */
  findObstacle(session: CheckSession): string | undefined
  run(session: CheckSession): Promise<CaseOutcome>
}

export interface CaseOutcome {
  /** `undefined` without a response. */
  readonly status: number | undefined
  /** The difference from the expectation, as a sentence. An external service may deviate from this project's decisions. */
  readonly deviation: string | undefined
  /** Errors whatever the basis of the case. The exchanges report schema violations. */
  readonly faults: readonly string[]
  /** If the case compares the service with the mock. */
  readonly difference?: Difference | undefined
}

/** Checks a response that has the expected status; returns the error as a sentence. */
export type CaseRule = (response: Exchange) => string | undefined

/** A case with a single request. */
export interface CaseDefinition extends Pick<ConformanceCase, 'operation' | 'title' | 'expected'> {
  /** @default 'specification' */
  readonly source?: CaseSource
  readonly request: (session: CheckSession) => Omit<CheckRequest, 'operation'>
  readonly rule?: CaseRule | undefined
  /** Why the case cannot run against this service. */
  readonly obstacle?: (session: CheckSession) => string | undefined
}

export function defineCase({ request, rule, obstacle, ...definition }: CaseDefinition): ConformanceCase {
  const { operation, expected } = definition
  return {
    source: 'specification',
    ...definition,
    findObstacle: (session) => obstacle?.(session),
    async run(session) {
      const response = await session.send({ operation, ...request(session) })
      const deviation = findStatusDeviation(response, expected) ?? rule?.(response)
      return { status: response.status, deviation, faults: [] }
    },
  }
}

/** The checks of every case. An Error object with an empty code is valid by the schema, but useless. */
export function findStatusDeviation({ status, json }: Exchange, expected: number): string | undefined {
  if (status !== expected) return `The status is ${status} and should be ${expected}`
  if (expected < 400) return undefined
  const { code } = (json ?? {}) as { readonly code?: unknown }
  return code === '' ? 'The code of the Error object is empty' : undefined
}
