import * as v from 'valibot'
import { must, object, oneOf, type Schema, safeInteger, string } from '../http/schema.ts'
import { type QuantityRange, WIDEST_RANGE } from './pet.ts'

/**
 * How a service decides where the specification is silent. A property that is left out keeps the mock's own decision.
 * `petstore-mock check URL --write --write-profile FILE` writes the profile of a running service.
 */
export interface Profile {
  /** For editors. */
  readonly $schema?: string
  /** One sentence about the service. */
  readonly description?: string
  /**
   * The order of the checks. The first one that fails decides the response.
   * @default '401, 400, 404'
   */
  readonly order?: ErrorOrder
  /**
   * The status for a petId that is no int64, such as `abc` or `9223372036854775808`, or has leading zeros. With 404, it
   * is an unknown pet.
   * @default 400
   */
  readonly malformedPetId?: 400 | 404
  /**
   * The smallest and the largest quantity that an update may set, inclusive. The option `quantity` takes precedence.
   * @default { min: -(2^53−1), max: 2^53−1 }
   */
  readonly quantity?: Partial<QuantityRange>
  /**
   * Properties beside `quantity` in the body of an update.
   * @default 'accept'
   */
  readonly unknownProperties?: Decision
  /**
   * A body with a `Content-Type` other than `application/json`.
   * @default 'reject'
   */
  readonly otherContentType?: Decision
  /**
   * Whether a 401 has the header `WWW-Authenticate`.
   * @default 'send'
   */
  readonly challenge?: 'send' | 'omit'
  /**
   * The `code` in the Error objects of the operations, by status.
   * @default { 400: 'invalid_request', 401: 'unauthorized', 404: 'not_found' }
   */
  readonly codes?: Partial<ErrorCodes>
}

export const ERROR_ORDERS = [
  '401, 400, 404',
  '401, 404, 400',
  '400, 401, 404',
  '400, 404, 401',
  '404, 401, 400',
  '404, 400, 401',
] as const

/** The errors of a request in the order in which they are looked for. */
export type ErrorOrder = (typeof ERROR_ORDERS)[number]

/** Whether a service accepts a request, or rejects it. */
export type Decision = 'accept' | 'reject'

/** The `code` of an Error object, by its status: of a malformed request, of a missing or invalid key, of an unknown pet. */
export type ErrorCodes = Readonly<Record<400 | 401 | 404, string>>

/** A profile with every point decided. */
export interface Rules extends Required<Omit<Profile, '$schema' | 'description' | 'quantity' | 'codes'>> {
  readonly quantity: QuantityRange
  readonly codes: ErrorCodes
}

const DECISION = oneOf(['accept', 'reject'])
const PET_ID_STATUS = v.picklist([400, 404], must('400 or 404'))
const CODE = v.pipe(string, v.nonEmpty('is empty'))

/** A range of quantities, with the widest bounds where they are left out. @internal */
export const QUANTITY_RANGE: Schema<Partial<QuantityRange>> = v.pipe(
  object<Partial<QuantityRange>>({ min: v.optional(safeInteger), max: v.optional(safeInteger) }),
  v.check(
    ({ min = -Infinity, max = Infinity }) => min <= max,
    ({ input: { min, max } }) => `has a min of ${min} above its max of ${max}`,
  ),
)

/** The option `profile`, and the content of a profile's file. @internal */
export const PROFILE: Schema<Rules> = object<Rules & Pick<Profile, '$schema' | 'description'>>({
  $schema: v.optional(string),
  description: v.optional(string),
  order: v.optional(oneOf(ERROR_ORDERS), '401, 400, 404'),
  malformedPetId: v.optional(PET_ID_STATUS, 400),
  quantity: v.optional(v.pipe(QUANTITY_RANGE, v.transform<Partial<QuantityRange>, QuantityRange>(toRange)), {}),
  unknownProperties: v.optional(DECISION, 'accept'),
  otherContentType: v.optional(DECISION, 'reject'),
  challenge: v.optional(oneOf(['send', 'omit']), 'send'),
  codes: v.optional(
    object<ErrorCodes>({
      400: v.optional(CODE, 'invalid_request'),
      401: v.optional(CODE, 'unauthorized'),
      404: v.optional(CODE, 'not_found'),
    }),
    {},
  ),
})

/** The given bounds, then those of the profile. */
export function toRange({ min, max }: Partial<QuantityRange>, otherwise: QuantityRange = WIDEST_RANGE): QuantityRange {
  return { min: min ?? otherwise.min, max: max ?? otherwise.max }
}
