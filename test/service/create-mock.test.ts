import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'

const PET = { petId: 1, quantity: 1, status: 'sold' } as const

test('the key of a mock and of a sandbox cannot be assigned: requests would not follow', () => {
  const mock = createMock()
  for (const controls of [mock, mock.sandbox('a')]) {
    expect(() => Object.assign(controls, { apiKey: 'x' })).toThrow(TypeError)
    expect(controls.apiKey).toMatch(/^demo-key/)
  }
})

describe('a mock', () => {
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

  test('resets all its sandboxes, also if a listener opens one', () => {
    const mock = createMock()
    const sandbox = mock.sandbox('a')
    mock.onChange((change) => mock.sandbox(change.sandbox))
    for (const { inventory } of [mock, sandbox]) inventory.remove(1)
    mock.resetAll()
    expect([mock.inventory.size, sandbox.inventory.size]).toEqual([10, 10])
  })

  test('checks the name when it is reseeded, as at its creation', () => {
    const mock = createMock()
    expect(() => mock.reseed('empty', { a: 1 } as never)).toThrow('the name must be a string, got {"a":1} (object)')
    expect(mock.inventory.size).toBe(10)
  })
})
