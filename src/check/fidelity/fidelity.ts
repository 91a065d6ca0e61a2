import * as v from 'valibot'
import { OPERATIONS, type OperationId } from '../../contract/operations.gen.ts'
import { must, object, oneOf, type Schema, string } from '../../http/schema.ts'

/** What the mock's rules are based on: the content of the file of `petstore-mock check URL --record FILE`. */
export interface Fidelity {
  /** One sentence about the record. */
  readonly description?: string
  /** The rules, in the order in which they are checked. */
  readonly rules: readonly FidelityRule[]
}

/** One rule of the mock. */
export interface FidelityRule {
  /** The operation that the rule is about. */
  readonly operation: OperationId
  /** The rule in a few words: `petId abc is 400`. */
  readonly rule: string
  /** Whether the rule is from the specification, or a decision of this project where the specification is silent. */
  readonly basis: 'specified' | 'decided here'
  /** When a real service was last seen to behave so, or otherwise. Missing if none was. */
  readonly seen?: FidelityObservation
}

/** How a real service behaved. */
export interface FidelityObservation {
  /** The URL of the service, without credentials. */
  readonly url: string
  /** The day, in UTC: `2026-11-22`. */
  readonly date: string
  /** Whether the service behaves as the rule says. */
  readonly verdict: 'same' | 'different'
}

const OBSERVATION: Schema<FidelityObservation> = object<FidelityObservation>({
  url: string,
  date: v.pipe(string, v.isoDate(must('a day such as 2026-11-22'))),
  verdict: oneOf(['same', 'different']),
})

/** The content of the file of `check --record`. */
export const FIDELITY: Schema<Fidelity> = object<Fidelity>({
  description: v.optional(string),
  rules: v.array(
    object<FidelityRule>({
      operation: oneOf(OPERATIONS.map(({ id }) => id)),
      rule: string,
      basis: oneOf(['specified', 'decided here']),
      seen: v.optional(OBSERVATION),
    }),
    must('an array of rules'),
  ),
})
