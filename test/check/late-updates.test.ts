import { describe, expect, test } from 'vitest'
import type { RestoredStock } from '../../src/check/restore.ts'
import { runCheck } from '../../src/check/run-check.ts'
import { main } from '../../src/cli/main.ts'
import type { Outcome } from '../../src/http/outcome.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { toService, withService } from '../../src/service/mock.ts'
import { QUIET_IO } from '../cli/run-cli.ts'

/** Called for every update of a quantity that pet 1 does not have at the start. */
type OnUpdate = (apply: () => void) => Promise<Outcome | undefined>

describe('an update that a service applies late', () => {
  /** Serves a mock whose updates wait, as those of a service that goes on when its client has gone. */
  function serveSlowly(mock: Mock, { onUpdate, onList }: { onUpdate: OnUpdate; onList?: () => void }) {
    const service = toService(mock)
    const original = mock.inventory.get(1)?.quantity
    const answer: typeof service.answer = async (request) => {
      const outcome = await service.answer(request)
      if (request.method === 'GET') onList?.()
      const quantity = mock.inventory.get(1)?.quantity
      if (request.method !== 'PATCH' || quantity === original || original === undefined) return outcome
      mock.inventory.set(1, { quantity: original })
      return (await onUpdate(() => mock.inventory.set(1, { quantity: quantity as number }))) ?? outcome
    }
    return serve(withService(mock, { ...service, answer }))
  }

  const run = async (url: string, options: { signal: AbortSignal; responseLimitMs?: number }) => {
    const restored: RestoredStock[] = []
    const onRestored = (each: RestoredStock): unknown => restored.push(each)
    const error = await runCheck({ url, write: true, petIds: ['1'], onRestored, ...options }).catch(
      (each: Error) => each,
    )
    return { restored, error }
  }

  test('is awaited before the stock is restored, where the check is stopped meanwhile', async () => {
    const stop = new AbortController()
    const mock = createMock()
    const before = mock.inventory.list()
    const late = Promise.withResolvers<void>()
    await using server = await serveSlowly(mock, {
      async onUpdate(apply) {
        stop.abort(new Error('enough'))
        await new Promise((resolve) => setTimeout(resolve, 200))
        apply()
        late.resolve()
        return undefined
      },
    })
    const { restored, error } = await run(server.url, { signal: stop.signal })
    await late.promise
    expect(error).toEqual(new Error('enough'))
    expect(mock.inventory.list()).toEqual(before)
    expect(restored).toMatchObject([{ restored: ['1'], left: [], problem: undefined }])
  })

  test('over a later one makes a finding inconclusive: nobody knows whose quantity was lost', async () => {
    const mock = createMock()
    const before = mock.inventory.list()
    let updates = 0
    let hung: (() => Promise<Response>) | undefined
    async function send(url: string, init: RequestInit): Promise<Response> {
      if (init.method === 'PATCH') updates += 1
      const sent = { ...init, signal: null }
      if (updates === 9) {
        updates += 1
        hung = () => mock.fetch(url, sent)
        return Promise.reject(new TypeError('fetch failed', { cause: new Error('other side closed') }))
      }
      const response = await mock.fetch(url, sent)
      if (updates === 16 && init.method === 'PATCH') await hung?.()
      return response
    }
    const { report } = await runCheck({
      url: 'http://service/v1',
      write: true,
      petIds: ['1'],
      fetch: send,
      responseLimitMs: 1000,
    })
    expect([report.verdict, report.failed]).toEqual(['inconclusive', 0])
    expect(mock.inventory.list()).toEqual(before)
  })

  test('after the time limit is undone', async () => {
    const stop = new AbortController()
    const mock = createMock()
    const before = mock.inventory.list()
    let held: (() => void) | undefined
    let lists = 0
    const closed = Promise.withResolvers<void>()
    await using server = await serveSlowly(mock, {
      async onUpdate(apply) {
        stop.abort(new Error('enough'))
        held = apply
        await closed.promise
        return undefined
      },
      // The update lands right after the first list that shows the restored stock.
      onList() {
        if (held === undefined) return
        lists += 1
        if (lists === 1) queueMicrotask(held)
      },
    })
    const { restored } = await run(server.url, { signal: stop.signal, responseLimitMs: 500 })
    closed.resolve()
    expect(lists).toBeGreaterThan(1)
    expect(mock.inventory.list()).toEqual(before)
    expect(restored).toMatchObject([{ restored: ['1'], left: [], problem: undefined }])
  })

  test('after the connection broke is undone', async () => {
    const stop = new AbortController()
    const mock = createMock()
    const before = mock.inventory.list()
    const late = Promise.withResolvers<void>()
    await using server = await serveSlowly(mock, {
      async onUpdate(apply) {
        stop.abort(new Error('enough'))
        setTimeout(() => late.resolve(apply()), 600)
        return { type: 'connection-fault', kind: 'reset' }
      },
    })
    const { restored } = await run(server.url, { signal: stop.signal, responseLimitMs: 1500 })
    await late.promise
    expect(mock.inventory.list()).toEqual(before)
    expect(restored).toMatchObject([{ restored: ['1'], left: [], problem: undefined }])
  })

  test('is announced at a terminal, so that nobody gives up waiting', async () => {
    const stop = new AbortController()
    const announced = Promise.withResolvers<void>()
    const mock = createMock()
    await using server = await serveSlowly(mock, {
      async onUpdate(apply) {
        stop.abort()
        await announced.promise
        apply()
        return undefined
      },
    })
    const lines: string[] = []
    const code = await main(['check', server.url, '--write', '--pet', '1'], {
      ...QUIET_IO,
      err(line) {
        lines.push(line)
        if (line.startsWith('Restoring')) announced.resolve()
      },
      isTerminal: { out: true, err: true },
      stop: stop.signal,
    })
    expect([code, lines.slice(-2)]).toEqual([
      130,
      ['Restoring the stock, which takes 90 s at most…', 'Changed and restored: pet 1.'],
    ])
  })
})
