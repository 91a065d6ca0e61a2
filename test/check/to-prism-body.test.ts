import { describe, expect, test } from 'vitest'
import { toPrismBody } from '../../src/check/prism/to-prism-body.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('toPrismBody', () => {
  test('leaves a body without long numbers as it is', () => {
    const body = encode('[{"petId":1, "quantity":1.0}]')
    expect(toPrismBody(body)).toBe(body)
  })

  test.for([
    ['9223372036854775807', '9007199254740991'],
    ['-9223372036854775808', '-9007199254740991'],
    ['9007199254740993', '9007199254740991'],
    ['9007199254740991', '9007199254740991'],
    ['9223372036854775808', '9223372036854776000'],
    ['9223372036854775807.5', '9223372036854776000'],
    ['"9223372036854775807"', '"9223372036854775807"'],
  ])('shows petId %s as %s', ([petId, shown]) => {
    expect(toPrismBody(encode(`[{"petId":${petId},"quantity":1}]`))).toBe(`[{"petId":${shown},"quantity":1}]`)
  })

  test('leaves other properties to Prism', () => {
    expect(toPrismBody(encode('{"quantity":9223372036854775807}'))).toBe('{"quantity":9223372036854776000}')
  })

  test.for(['[{"petId":9223372036854775807', '\uFEFF[{"petId":9223372036854775807}]'])('leaves %j as it is', (text) => {
    const body = encode(text)
    expect(toPrismBody(body)).toBe(body)
  })
})
