import { describe, expect, test } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { toService } from '../../src/service/mock.ts'

const PET = { petId: 1, quantity: 1, status: 'sold' } as const

describe('mock.fetch', () => {
  test.each(['v1/inventory', './v1/inventory', '/v1/inventory', 'https://a.example/v1/inventory'])(
    'takes %s',
    async (input) => {
      const mock = createMock()
      expect((await mock.fetch(input, { headers: { authorization: 'Bearer demo-key' } })).status).toBe(200)
    },
  )
})

test('the key of a mock and of a sandbox cannot be assigned: requests would not follow', () => {
  const mock = createMock()
  for (const controls of [mock, mock.sandbox('a')]) {
    expect(() => Object.assign(controls, { apiKey: 'x' })).toThrow(TypeError)
    expect(controls.apiKey).toMatch(/^demo-key/)
  }
})

describe('mock.covers', () => {
  const covered = (mock: Mock, urls: readonly string[]): string[] =>
    urls.filter((url) => toService(mock).covers(new URL(url)))

  test('takes the base path and all below it, and the control API, on every origin', () => {
    const urls = ['http://a/v1', 'https://b:1/v1/', 'http://a/v1/inventory?x', 'http://a/_mock/health']
    const others = ['http://a/', 'http://a/v10', 'http://a/v1x/inventory', 'http://a/x/v1/', 'http://a/_mocks']
    expect(covered(createMock(), [...urls, ...others])).toEqual(urls)
  })

  test('takes one origin where the base has one', () => {
    const urls = ['http://a/v1', 'http://a/v1/inventory', 'http://a/_mock/health']
    const others = ['https://a/v1', 'http://b/v1', 'http://b/_mock/health', 'http://a/v2']
    expect(covered(createMock({ baseUrl: 'http://a/v1' }), [...urls, ...others])).toEqual(urls)
  })
})

describe('a mock', () => {
  test('refuses a listener that is no function', () => {
    expect(() => createMock().onChange('log' as never)).toThrow(
      'Failed to subscribe to changes: the listener must be a function, got "log" (string).',
    )
  })

  test('brings back what it exported, in every sandbox', () => {
    const [mock, other] = [createMock(), createMock()]
    mock.inventory.set(1, { quantity: 91 })
    mock.sandbox('a').inventory.remove(1)
    other.importState(mock.exportState())
    expect([other.inventory.get(1)?.quantity, other.sandbox('a').inventory.get(1)]).toEqual([91, undefined])
  })

  test.each([
    [undefined, 'state'],
    ['my.state', 'my.state'],
  ])('calls a bad state %s', (origin, name) => {
    expect(() => createMock().importState('{"half": ', origin)).toThrow(
      expect.objectContaining({ code: 'INVALID_FIXTURE', message: expect.stringMatching(`^${name}: `) }),
    )
  })

  test.each([
    [undefined, 'fixture'],
    ['my.json', 'my.json'],
  ])('reseeds all its sandboxes, calling it %s', (given, name) => {
    const mock = createMock()
    const sandbox = mock.sandbox('a')
    mock.inventory.remove(1)
    mock.reseed({ inventory: [PET] }, given)
    expect([mock.inventory.list(), sandbox.inventory.list()]).toEqual([[PET], [PET]])
    expect(() => mock.reseed('{', given)).toThrow(`${name}: is not JSON`)
    expect(mock.inventory.list()).toEqual([PET])
  })
})
