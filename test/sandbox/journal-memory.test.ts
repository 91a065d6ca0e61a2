import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RequestRecord } from '../../src/http/wire-request.ts'
import { JournalMemory, SandboxJournal } from '../../src/sandbox/journal.ts'
import type { Exchange } from '../../src/sandbox/journal-entry.ts'
import type { Sandboxes } from '../../src/sandbox/sandboxes.ts'
import { EXCHANGE, openSandboxes } from './sandboxes.ts'

const KB = 1024

describe('the journals of all sandboxes', () => {
  test('hold no more than the limit: those idle for longest drop what they kept, and say so', () => {
    const sandboxes = open({ journalsLimit: 40 * KB })
    for (const name of ['default', 'old', 'middle', 'new']) {
      for (let turn = 0; turn < 10; turn += 1) sandboxes.open(name).journal.record(createExchange())
    }
    const journals = ['old', 'middle', 'new', 'default'].map((name) => sandboxes.open(name).journal)
    const count = () => journals.map(({ entries, dropped }) => `${entries.length} and ${dropped} dropped`)
    expect(count()).toEqual(Array(4).fill('10 and 0 dropped'))
    for (let turn = 0; turn < 3; turn += 1) sandboxes.open('new').journal.record(createExchange())
    expect(count()).toEqual(['0 and 10 dropped', '10 and 0 dropped', '13 and 0 dropped', '10 and 0 dropped'])
    expect(() => journals[0]?.find()).toThrow(expect.objectContaining({ code: 'JOURNAL_INCOMPLETE' }))
    expect(journals[0]?.find({ after: 10 })).toEqual([])
  })

  test('count the body of a response that comes after the exchange was recorded', () => {
    const { journal } = open({ journalsLimit: 40 * KB }).open('default')
    const answer = { type: 'response', status: 200, headers: {}, body: [] } as const
    const exchanges = Array.from({ length: 10 }, () => ({ ...createExchange(), answer }))
    for (const exchange of exchanges) journal.record(exchange)
    for (const exchange of exchanges) journal.addAnswerBody(exchange, new Uint8Array(9 * KB))
    expect(journal.entries.map(({ id, answer }) => [id, answer?.body.length])).toEqual([
      [9, 9 * KB],
      [10, 9 * KB],
    ])
  })

  test('leave an exchange without a response as it is when a body comes', () => {
    const { journal } = open({ journalsLimit: 40 * KB }).open('default')
    const exchange = createExchange()
    journal.record(exchange)
    journal.addAnswerBody(exchange, new Uint8Array(1))
    expect(journal.entries[0]).not.toHaveProperty('answer')
  })

  test('hold of a body its own bytes, and not the buffer that it came in', () => {
    const exchange = createExchange()
    const { journal } = open({ journalsLimit: 40 * KB }).open('default')
    journal.addBody(exchange, new Uint8Array(new ArrayBuffer(64 * KB), 100, 5))
    expect([exchange.body?.byteLength, exchange.body?.buffer.byteLength]).toEqual([5, 5])
  })

  test('count headers by their length', () => {
    const memory = new JournalMemory(Number.POSITIVE_INFINITY, () => {})
    const [short, long] = ['a', 'a'.repeat(10_000)].map((value) => {
      const request = new RequestRecord('GET', { path: value, lines: `x\n${value}` })
      return memory.weigh({
        request,
        body: undefined,
        answer: { type: 'response', status: 200, headers: { x: value }, body: [] },
      })
    })
    expect((long ?? 0) - (short ?? 0)).toBe(3 * 9999)
  })

  test('count a piece of a list once, and a small piece each time', () => {
    const memory = new JournalMemory(1000, () => {})
    const { request } = createExchange()
    const empty = memory.weigh({ request, body: undefined, answer: undefined })
    for (const [bytes, again] of [
      [1023, 1023],
      [1024, 0],
    ] as const) {
      const answer = { type: 'response', status: 200, headers: {}, body: [new Uint8Array(bytes)] } as const
      const exchange = { request, body: undefined, answer }
      expect([memory.weigh(exchange) - empty, memory.weigh(exchange) - empty]).toEqual([bytes, again])
    }
  })

  test('hold what they say, whatever is recorded, comes later, is cleared and dropped', () => {
    const bytes = fc.oneof(fc.nat(2000), fc.integer({ min: 8000, max: 9000 }))
    const step = fc.oneof(
      fc.record({ act: fc.constant('record' as const), bytes: fc.option(bytes, { nil: undefined, freq: 2 }) }),
      fc.record({ act: fc.constant('add' as const), bytes, id: fc.nat(9) }),
      fc.constantFrom({ act: 'clear' as const }, { act: 'drop' as const }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (steps, size) => {
        const journal = new SandboxJournal({ size, events: QUIET, memory: new JournalMemory(16 * KB, () => {}) })
        const recorded: Exchange[] = []
        let kept: { id: number; weight: number }[] = []
        let cleared = 0
        for (const each of steps) {
          if (each.act === 'record') {
            const body = each.bytes === undefined ? undefined : new Uint8Array(each.bytes)
            recorded.push({ ...createExchange(), body })
            journal.record(recorded.at(-1) as Exchange)
            kept = [...kept, { id: recorded.length, weight: (each.bytes ?? 0) + KB }].slice(-size)
          } else if (each.act === 'add') {
            const exchange = recorded[each.id]
            // A body is read once.
            if (exchange === undefined || exchange.body !== undefined) continue
            journal.addBody(exchange, new Uint8Array(each.bytes))
            kept = kept.map((entry) => (entry.id === each.id + 1 ? { ...entry, weight: each.bytes + KB } : entry))
          } else {
            journal[each.act]()
            kept = []
          }
          while (kept.length > 1 && sum(kept) > 8 * KB) kept.shift()
          if (each.act === 'clear') cleared = recorded.length
        }
        expect(journal.weight).toBe(sum(kept))
        expect(journal.entries.map(({ id }) => id)).toEqual(kept.map(({ id }) => id))
        expect(journal.dropped).toBe(recorded.length - kept.length - cleared)
      }),
    )
  })
})

function sum(kept: readonly { readonly weight: number }[]): number {
  return kept.reduce((total, { weight }) => total + weight, 0)
}

const QUIET = { isWatched: false, emit: () => {} }

function open(limits: { readonly journalsLimit: number }): Sandboxes {
  return openSandboxes('empty', limits)
}

/** It weighs a kilobyte. */
function createExchange(): Exchange {
  const request = new RequestRecord('GET', { path: 'x'.repeat(256), lines: '' })
  return { ...EXCHANGE, operation: 'listInventory', request, body: undefined, id: 0 }
}
