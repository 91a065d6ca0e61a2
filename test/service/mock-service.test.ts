import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { toService } from '../../src/service/mock.ts'

test('the service of a mock is found, also by another copy of this package', () => {
  const mock = createMock()
  const service: unknown = Reflect.get(mock, Symbol.for('petstore-mock.service'))
  expect(toService(mock)).toBe(service)
})

test.each([[undefined], [null], [5], [{}]])('%j is refused as a mock', (value) => {
  const refusal = (failure: string) =>
    expect.objectContaining({
      code: 'INVALID_OPTION',
      message: expect.stringMatching(
        `^${failure}: the first argument must be a mock, such as createMock\\(\\) returns, `,
      ),
    })
  expect(() => toService(value as never)).toThrow(refusal('Failed to use a mock'))
  expect(() => toService(value as never, 'Failed to serve')).toThrow(refusal('Failed to serve'))
})
