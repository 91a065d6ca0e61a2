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
  test.each([undefined, 'my.state'])('calls a bad state %s', (given) => {
    expect(() => createMock().importState('{"half": ', given)).toThrow(
      expect.objectContaining({ code: 'INVALID_FIXTURE', message: expect.stringMatching(`^${given ?? 'state'}: `) }),
    )
  })

  test.each([undefined, 'my.json'])('reseeds all its sandboxes, calling it %s', (given) => {
    const mock = createMock()
    const sandbox = mock.sandbox('a')
    mock.inventory.remove(1)
    mock.reseed({ inventory: [PET] }, given)
    expect([mock.inventory.list(), sandbox.inventory.list()]).toEqual([[PET], [PET]])
    expect(() => mock.reseed('{', given)).toThrow(`${given ?? 'fixture'}: is not JSON`)
    expect(mock.inventory.list()).toEqual([PET])
  })

  test('resets and imports all its sandboxes, each once, also if a listener opens one', () => {
    const mock = createMock()
    const sandbox = mock.sandbox('a')
    const initial = mock.exportState()
    for (const restore of [mock.resetAll, () => mock.importState(initial)]) {
      for (const { inventory } of [mock, sandbox]) inventory.remove(1)
      const changed: string[] = []
      const stop = mock.onChange((change) => changed.push(change.sandbox) < 9 && mock.sandbox(change.sandbox).apiKey)
      restore()
      stop()
      expect([changed.sort(), mock.inventory.size, sandbox.inventory.size]).toEqual([['a', 'default'], 10, 10])
    }
  })
})
