import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keepFaults } from '../../src/console/keep-faults.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { toService } from '../../src/service/mock.ts'

let page: EventTarget
let storage: Map<string, string>

beforeEach(() => {
  storage = new Map()
  const setItem = (name: string, value: string) => void storage.set(name, value)
  vi.stubGlobal('sessionStorage', { getItem: (name: string) => storage.get(name), setItem })
})

afterEach(() => void vi.unstubAllGlobals())

const hidePage = () => page.dispatchEvent(new Event('pagehide'))

/** A page that has just been loaded, and sends a request of its panel. */
function open(mock: Mock) {
  page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  const { note } = keepFaults(toService(mock).sandboxes, () => {})
  return async (method: string, path: string, body?: object): Promise<void> => {
    const url = new URL(`http://localhost/_mock/${path}`)
    await note(url, method, await mock.fetch(url, { method, ...(body && { body: JSON.stringify(body) }) }))
  }
}

describe('the faults and latencies of the panel', () => {
  test('are those of the next page: with what is left of their times, in each sandbox', async () => {
    const mock = createMock()
    const ask = open(mock)
    await ask('POST', 'faults?sandbox=default', { status: 503, times: 2, petId: '9223372036854775807' })
    await ask('POST', 'faults?sandbox=default', { status: 500, times: 1 })
    await ask('POST', 'faults?sandbox=other', { error: 'reset' })
    await ask('PUT', 'delay?sandbox=other', { delay: [1, 2] })
    await mock.fetch('/v1/pets/9223372036854775807', { headers: { authorization: 'Bearer demo-key' } })
    await mock.fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
    hidePage()
    const next = createMock()
    open(next)
    expect(next.faults.list()).toEqual([{ id: 1, used: 0, status: 503, times: 1, petId: 9223372036854775807n }])
    const { delay, faults } = toService(next).sandboxes.open('other')
    expect([delay, faults.list()]).toEqual([[1, 2], [{ id: 1, used: 0, error: 'reset' }]])
  })

  test('do not include what the code of the page sets, which sets it again', async () => {
    for (const count of [1, 2, 2]) {
      const mock = createMock()
      mock.setDelay(5)
      const ask = open(mock)
      mock.faults.add({ status: 500 })
      expect(mock.faults.list()).toHaveLength(count)
      if (count === 1) await ask('POST', 'faults?sandbox=default', { status: 503 })
      hidePage()
    }
    expect(storage.get('petstore-mock.faults')).toBe('[{"name":"default","faults":[{"status":503}]}]')
  })

  test('of another release are left out with a warning, and the mock starts', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    storage.set('petstore-mock.faults', '[{"name":"default","faults":[{"states":503}]}]')
    const mock = createMock()
    open(mock)
    expect([mock.faults.list(), warn.mock.calls.length]).toEqual([[], 1])
  })
})
