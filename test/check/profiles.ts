import fc from 'fast-check'
import type { Profile } from '../../src/index.ts'
import { ERROR_ORDERS } from '../../src/inventory/profile.ts'

const decision = fc.constantFrom('accept', 'reject')
const petIdStatus = fc.constantFrom(400, 404)
const code = fc.constantFrom('A', 'B', 'invalid_request')

/** Profiles of services that decide anything, with a range that holds the stock of `serveOther`. */
export const PROFILES = fc.record(
  {
    order: fc.constantFrom(...ERROR_ORDERS),
    malformedPetId: petIdStatus,
    quantity: fc.record({ min: fc.integer({ max: 0 }), max: fc.integer({ min: 40 }) }, { requiredKeys: [] }),
    unknownProperties: decision,
    otherContentType: decision,
    challenge: fc.constantFrom('send', 'omit'),
    codes: fc.record({ 400: code, 401: code, 404: code }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Profile>
