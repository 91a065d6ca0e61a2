import { HttpResponse, http } from 'msw'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { connectMock, type RemoteMock } from '../../src/client/connect-mock.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { type RunningWorker, startWorker, type WorkerOptions } from '../../src/runtimes/browser.ts'
import { takeConsole } from './expect-quiet.ts'

const ELSEWHERE = 'https://api.petstore.example'

const MODES = ['worker', 'page'] as const
let running: RunningWorker | undefined
afterEach(() => running?.stop())

async function start(mock: Mock | RemoteMock, options?: WorkerOptions): Promise<RunningWorker> {
  running = await startWorker(mock, options)
  return running
}

function ask(path: string, { key = 'demo-key', ...init }: RequestInit & { key?: string } = {}): Promise<Response> {
  return fetch(path, { ...init, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } })
}

function update(petId: number | string, quantity: number, key?: string): Promise<Response> {
  const body = JSON.stringify({ quantity })
  return ask(`/v1/inventory/${petId}`, { method: 'PATCH', body, ...(key !== undefined && { key }) })
}

describe.each(MODES)('start and stop in mode %s', (mode) => {
  test('the console says what the mock answers, unless it is to be quiet', async () => {
    const line = vi.mocked(console.info)
    const worker = await start(createMock({ baseUrl: ['/v1', ELSEWHERE] }), { mode })
    expect(line.mock.calls).toEqual([[`petstore-mock answers the requests of this page to /v1 and ${ELSEWHERE}.`]])
    await worker.stop()
    await start(createMock(), { mode, quiet: true })
    expect(line).toHaveBeenCalledOnce()
  })

  test('the console says that the state is from an earlier visit, with another fixture', async () => {
    const persist = `other fixture, ${mode}`
    const visit = async (fixture: string): Promise<unknown> => {
      vi.mocked(console.info).mockClear()
      const worker = await start(createMock({ fixture }), { mode, persist })
      await worker.stop()
      return vi.mocked(console.info).mock.lastCall?.[0]
    }
    const line = 'petstore-mock answers the requests of this page to /v1.'
    expect([await visit('low-stock'), await visit('low-stock')]).toEqual([line, line])
    expect(await visit('default')).toBe(
      `${line} Its state is from an earlier visit, with another fixture. POST /_mock/reset loads the fixture of this page.`,
    )
    const worker = await start(createMock(), { mode, persist })
    expect((await fetch('/_mock/reset', { method: 'POST' })).status).toBe(200)
    await worker.stop()
    expect(await visit('default')).toBe(line)
  })

  test('a mock elsewhere answers with its own state', async () => {
    const elsewhere = createMock()
    const carry = (url: URL, init: RequestInit): Promise<Response> => elsewhere.fetch(url, init)
    const remote = connectMock('http://127.0.0.1:4100', { sandbox: 'a', fetch: carry })
    await expect(start(remote, { mode, persist: true })).rejects.toThrow('persist is for a mock in this page')
    const worker = await start(remote, { mode })
    expect((await update(1, 20)).status).toBe(200)
    expect(elsewhere.sandbox('a').inventory.get(1)?.quantity).toBe(20)
    elsewhere.sandbox('a').faults.add({ error: 'reset', times: 1 })
    await expect(update(1, 21)).rejects.toThrow(TypeError)
    await worker.forget()
    expect(elsewhere.sandbox('a').inventory.get(1)?.quantity).toBe(12)
  })

  test('stop() gives the page its network back', async () => {
    const worker = await start(createMock(), { mode })
    expect((await ask('/v1/inventory')).status).toBe(200)
    expect((await ask(`${ELSEWHERE}/v1/inventory`)).status).toBe(200)
    await worker.stop()
    expect((await ask('/v1/inventory')).status).toBe(404)
    await expect(ask(`${ELSEWHERE}/v1/inventory`)).rejects.toThrow(TypeError)
  })

  test('stop() lets the requests under way finish', async () => {
    const mock = createMock()
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    mock.use(
      http.get('/v1/inventory', async () => {
        reached.resolve()
        await released.promise
        return HttpResponse.text('late')
      }),
    )
    const worker = await start(mock, { mode })
    const answer = ask('/v1/inventory')
    await reached.promise
    const stopped = worker.stop()
    released.resolve()
    expect(await (await answer).text()).toBe('late')
    await stopped
  })

  test('stop() does not wait for ever for a handler that never answers', async () => {
    const mock = createMock()
    const reached = Promise.withResolvers<void>()
    mock.use(
      http.get('/v1/never', () => {
        reached.resolve()
        return new Promise<Response>(() => {})
      }),
    )
    const worker = await start(mock, { mode })
    const answer = ask('/v1/never')
    await reached.promise
    const stopped = worker.stop()
    await expect(answer).rejects.toThrow(TypeError)
    await stopped
    expect((await ask('/v1/inventory')).status).toBe(404)
  })

  test('a second stop() does no harm, not even to the next worker', async () => {
    const first = await start(createMock(), { mode })
    await Promise.all([first.stop(), first.stop()])
    await start(createMock(), { mode })
    await first.stop()
    expect((await ask('/v1/inventory')).status).toBe(200)
  })

  test('a start waits for a stop that is under way', async () => {
    const worker = await start(createMock(), { mode })
    const stopped = worker.stop()
    await start(createMock({ fixture: 'empty' }), { mode })
    await stopped
    expect(await (await ask('/v1/inventory')).text()).toBe('[]')
  })

  test('a baseUrl of another origin leaves the page’s own alone', async () => {
    await start(createMock({ baseUrl: `${ELSEWHERE}/v1` }), { mode })
    expect((await ask(`${ELSEWHERE}/v1/inventory`)).status).toBe(200)
    expect((await ask('/v1/inventory')).status).toBe(404)
    expect((await ask('/_mock/health')).status).toBe(404)
    expect(takeConsole('warn')).toEqual([
      [expect.stringContaining(`GET ${location.origin}/v1/inventory is not for the mock`)],
    ])
  })
})

describe.each(MODES)('a second start in mode %s', (mode) => {
  test('takes the place of the first without a gap', async () => {
    const first = await start(createMock(), { mode })
    let isOn = true
    const statuses = new Set<number>()
    const poll = async (send: () => Promise<Response>): Promise<void> => {
      while (isOn) {
        statuses.add((await send()).status)
        // In page mode a response takes no turn of the event loop, and what starts the next mock needs some.
        await new Promise((resolve) => setTimeout(resolve))
      }
    }
    const polls = [poll(() => update(1, 5)), ...Array.from({ length: 5 }, () => poll(() => ask('/v1/inventory')))]
    for (const fixture of ['low-stock', 'default', 'empty']) {
      await start(createMock({ fixture, baseUrl: ['/v1', ELSEWHERE] }), { mode })
      await ask('/v1/inventory')
    }
    // Of the last mock, which has no pets: the polls may end before one of them has met it.
    statuses.add((await update(1, 5)).status)
    isOn = false
    await Promise.all(polls)
    await first.stop()
    expect(await (await ask('/v1/inventory')).text()).toBe('[]')
    expect(await (await ask(`${ELSEWHERE}/inventory`)).text()).toBe('[]')
    expect([...statuses].sort()).toEqual([200, 404])
    await running?.stop()
    expect((await fetch('/_mock/health')).status).toBe(404)
  })

  test('while the first is under way takes its place', async () => {
    const first = startWorker(createMock(), { mode })
    await start(createMock({ fixture: 'empty' }), { mode })
    expect(await (await ask('/v1/inventory')).text()).toBe('[]')
    await (await first).stop()
    expect(await (await ask('/v1/inventory')).text()).toBe('[]')
  })

  test('lets the first mock finish its requests, and ends its event streams', async () => {
    const mock = createMock()
    const released = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    mock.use(
      http.get('/v1/slow', async () => {
        reached.resolve()
        await released.promise
        return HttpResponse.text('late')
      }),
    )
    await start(mock, { mode })
    const late = ask('/v1/slow')
    await reached.promise
    const events = await fetch('/_mock/events')
    await start(createMock({ fixture: 'empty' }), { mode })
    expect(await (await ask('/v1/inventory')).text()).toBe('[]')
    await events.text()
    released.resolve()
    expect(await (await late).text()).toBe('late')
  })

  test('has its own options, and what the first has stored', async () => {
    const persist = `second start, ${mode}`
    await start(createMock(), { mode, persist })
    const updated = update(1, 77)
    const second = createMock()
    const worker = start(second, { mode, persist, onUnhandledRequest: 'error' })
    expect((await updated).status).toBe(200)
    await worker
    expect(second.inventory.get(1)?.quantity).toBe(77)
    await expect(fetch('/elsewhere')).rejects.toThrow(TypeError)
    expect(takeConsole('error')).toHaveLength(1)
  })
})

describe.each(MODES)('requests that are not for the mock, in mode %s,', (mode) => {
  const FILE = '/folder/mockServiceWorker.js'

  test('are announced once for each address, unless they are for this machine', async () => {
    await start(createMock(), { mode })
    const address = 'http://api.petstore.invalid/v2/inventory'
    for (const url of [address, `${address}?again`, 'http://api.petstore.invalid/app.js', '/elsewhere'])
      await fetch(url).catch(() => {})
    expect(takeConsole('warn')).toEqual([[expect.stringContaining(`GET ${address} is not for the mock`)]])
  })

  test('fail on demand, files and WebSockets aside', async () => {
    await start(createMock(), { mode, onUnhandledRequest: 'error' })
    expect((await fetch(FILE)).status).toBe(200)
    // The second ends with the path of an operation.
    for (const path of ['/elsewhere', '/api/v1/inventory']) {
      await expect(fetch(path)).rejects.toThrow(TypeError)
      expect(takeConsole('error')).toEqual([
        [expect.stringContaining(`GET ${location.origin}${path} is not for the mock`)],
      ])
    }
    await connectWebSocket()
  })
})

/** To Vite's own server, which takes any connection of this protocol for a ping. */
async function connectWebSocket(): Promise<void> {
  const socket = new WebSocket(location.origin.replace('http', 'ws'), 'vite-ping')
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  socket.close()
}
