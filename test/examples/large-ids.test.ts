import { createMock } from 'petstore-mock'
import { expect, test } from 'vitest'

const mock = createMock({ fixture: 'int64-edges' })

/** Like `JSON.parse`, but a petId that a number cannot hold is a bigint. */
function parsePets(text: string) {
  return JSON.parse(text, (key, value: unknown, context?: { readonly source: string }) =>
    key === 'petId' && context && !Number.isSafeInteger(value) ? BigInt(context.source) : value,
  ) as { petId: number | bigint }[]
}

test('large ids are read exactly', async () => {
  const response = await mock.fetch('/v1/inventory', { headers: { authorization: `Bearer ${mock.apiKey}` } })
  const pets = parsePets(await response.text())
  expect(pets.find(({ petId }) => petId === 9223372036854775807n)).toMatchObject({ quantity: 0 })
})
