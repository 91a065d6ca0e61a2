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
  /** The status that the answer should have. */
  readonly expected: number
  /** Whether it is tried on a pet that is there. */
  readonly needsPet: boolean
  run(session: CheckSession): Promise<CaseOutcome>
}

export interface CaseOutcome {
  /** The status of the answer. */
  readonly status: number
  /** What is not as the case expects, in a sentence. What breaks the specification is told by the exchanges. */
  readonly deviation: string | undefined
}

/** Looks at an answer of the right status, and tells in a sentence what is wrong with it. */
export type CaseRule = (answer: Exchange, context: CaseContext) => string | undefined | Promise<string | undefined>

export interface CaseContext {
  readonly session: CheckSession
  readonly sent: CheckRequest
}

/** A case of one request, which more may follow in its rule. */
export interface CaseDefinition extends Pick<ConformanceCase, 'operation' | 'title' | 'expected'> {
  /** @default 'specification' */
  readonly source?: CaseSource
  /** @default false */
  readonly needsPet?: boolean
  readonly request: (session: CheckSession) => Omit<CheckRequest, 'operation'>
  readonly rule?: CaseRule | undefined
}

export function defineCase({ request, rule, ...definition }: CaseDefinition): ConformanceCase {
  const { operation, expected } = definition
  return {
    source: 'specification',
    needsPet: false,
    ...definition,
    async run(session) {
      const sent = { operation, ...request(session) }
      const answer = await session.send(sent)
      const general = findStatusDeviation(answer, expected)
      return { status: answer.status, deviation: general ?? (await rule?.(answer, { session, sent })) }
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
