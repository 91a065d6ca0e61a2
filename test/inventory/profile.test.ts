import { expect, test } from 'vitest'
import { parseWith } from '../../src/http/schema.ts'
import { PROFILE } from '../../src/inventory/profile.ts'

const parse = (profile: unknown) => parseWith(PROFILE, profile, { failure: 'Failed to read the profile' })

test('what a profile leaves out is decided', () => {
  expect(parse({})).toEqual({
    order: '401, 400, 404',
    malformedPetId: 400,
    quantity: { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
    unknownProperties: 'accept',
    otherContentType: 'reject',
    challenge: 'send',
    codes: { 400: 'invalid_request', 401: 'unauthorized', 404: 'not_found' },
  })
})

test('what a profile says is kept', () => {
  const { quantity, codes, challenge } = parse({
    quantity: { min: 5, max: 5 },
    codes: { 401: 'no' },
    challenge: 'omit',
  })
  expect([quantity, challenge]).toEqual([{ min: 5, max: 5 }, 'omit'])
  expect(codes).toEqual({ 400: 'invalid_request', 401: 'no', 404: 'not_found' })
  expect(parse({ quantity: { max: 5 } }).quantity).toEqual({ min: Number.MIN_SAFE_INTEGER, max: 5 })
})

test.each<[object, string]>([
  [{ codes: { 400: '' } }, 'codes.400 is empty'],
  [{ malformedPetId: 401 }, 'malformedPetId must be 400 or 404'],
  [{ quantity: { min: 6, max: 5 } }, 'quantity has a min of 6 above its max of 5'],
  [{ order: '401' }, 'order must be one of'],
])('%j is refused', (profile, message) => {
  expect(() => parse(profile)).toThrow(message)
})
