import { describe, expect, onTestFinished, test } from 'vitest'
import { createMock, ERROR_STATUSES, type Mock } from '../../src/index.ts'
import { interceptRequests } from '../../src/runtimes/node.ts'
import { serve } from '../../src/runtimes/server.ts'
import { AUTHORIZED, list, update } from '../ask.ts'

describe('a fault', () => {
  test('without a body sends a code of the closed list, for every status', async () => {
    const mock = createMock()
    const codes = new Map<number, unknown>()
    // A status of success needs a body.
    for (const status of [204, 205, ...Array.from({ length: 300 }, (_, index) => 300 + index)]) {
      mock.faults.add({ status, times: 1 })
      const text = await (await list(mock)).text()
      codes.set(status, text === '' ? undefined : JSON.parse(text).code)
    }
    const listed = { ...ERROR_STATUSES, unknown_pet: 0, unknown_fault: 0, unknown_sandbox: 0 }
    for (const [code, status] of Object.entries(listed)) if (status !== 0) expect(codes.get(status)).toBe(code)
    const others = [...codes].filter(([status]) => !Object.values<number>(listed).includes(status))
    expect(new Set(others.map(([, code]) => code))).toEqual(new Set(['fault', undefined]))
    expect(others.filter(([, code]) => code === undefined).map(([status]) => status)).toEqual([204, 205, 304])
  })

  test('strikes by chance from the seeded sequence', async () => {
    const strike = async (randomSeed: number): Promise<number[]> => {
      const mock = createMock({ randomSeed })
      mock.faults.add({ status: 503, probability: 0.5 })
      return Promise.all(Array.from({ length: 20 }, async () => (await list(mock)).status))
    }
    const first = await strike(1)
    expect(await strike(1)).toEqual(first)
    expect(new Set(first)).toEqual(new Set([200, 503]))
  })
})

describe.each(['mock.fetch', 'interceptRequests', 'server'])('broken connections over %s', (runtime) => {
  test('network and reset reject as fetch does, and change nothing', async () => {
    const { mock, send } = await start(runtime)
    for (const error of ['network', 'reset'] as const) {
      mock.faults.add({ error, times: 1 })
      await expect(update({ fetch: send }, 1, 99)).rejects.toThrow(TypeError)
    }
    expect(mock.inventory.get(1)?.quantity).toBe(12)
    expect((await list({ fetch: send })).status).toBe(200)
  })

  test('timeout answers nothing, for as long as the client waits', async () => {
    const { mock, send } = await start(runtime)
    mock.faults.add({ error: 'timeout', times: 1 })
    const answered = send('/v1/inventory', { headers: AUTHORIZED, signal: AbortSignal.timeout(100) })
    await expect(answered).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }))
  })

  test('a reset lets a client go that waits for ever', async () => {
    const { mock, send } = await start(runtime)
    mock.faults.add({ error: 'timeout' })
    const rejected = expect(list({ fetch: send })).rejects.toThrow(TypeError)
    await expect.poll(() => mock.journal.entries.length).toBe(1)
    mock.reset()
    await rejected
  })

  test('truncated begins to answer, and breaks off; the update took place', async () => {
    const { mock, send } = await start(runtime)
    mock.faults.add({ error: 'truncated', times: 1 })
    const answer = await update({ fetch: send }, 1, 99)
    expect([answer.status, mock.inventory.get(1)?.quantity]).toEqual([200, 99])
    await expect(answer.text()).rejects.toThrow(TypeError)
  })
})

test('Prefer chooses a status and a delay where it is switched on', async () => {
  const mock = createMock({ prefer: true })
  mock.clock.useVirtual()
  const prefer = 'code=404, respond-async, delay="500"'
  const answered = mock.fetch('/v1/inventory', { headers: { ...AUTHORIZED, prefer } })
  await mock.clock.advance(500)
  const answer = await answered
  expect([answer.status, answer.headers.get('preference-applied')]).toEqual([404, 'code=404, delay=500'])
  expect([await answer.json(), mock.journal.last()]).toMatchObject([
    { code: 'not_found', status: 404 },
    { duration: 500 },
  ])
})

async function start(runtime: string): Promise<{ mock: Mock; send: typeof fetch }> {
  const mock = createMock()
  if (runtime === 'mock.fetch') return { mock, send: (path, init) => mock.fetch(path as string, init) }
  const carrier = runtime === 'server' ? await serve(mock) : interceptRequests(mock)
  onTestFinished(() => ('close' in carrier ? carrier.close() : carrier.stop()))
  const origin = 'url' in carrier ? carrier.url : 'http://api.petstore.example'
  return { mock, send: (path, init) => fetch(`${origin}${path}`, init) }
}
