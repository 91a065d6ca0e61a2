import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createJournal, type JournalRoom } from '../../src/sandbox/journal.ts'
import { createJournalBudget } from '../../src/sandbox/journal-budget.ts'
import type { Exchange } from '../../src/sandbox/journal-entry.ts'
import { createSandboxes } from '../../src/sandbox/sandboxes.ts'
import { loadSeed } from '../../src/store/load-seed.ts'

const KB = 1024

describe('the journals of all sandboxes', () => {
  test('hold no more than the limit: those idle for longest drop what they kept, and say so', () => {
    const sandboxes = open({ journalsLimit: 40 * KB })
    for (const name of ['default', 'old', 'middle', 'new']) {
      for (let turn = 0; turn < 10; turn += 1) sandboxes.open(name).journal.record(createExchange())
    }
    const journals = ['old', 'middle', 'new', 'default'].map((name) => sandboxes.open(name).journal)
    expect(journals.map(({ entries, dropped }) => [entries.length, dropped])).toEqual([
      [10, 0],
      [10, 0],
      [10, 0],
      [10, 0],
    ])
    sandboxes.open('new').journal.record(createExchange())
    expect(journals.map(({ entries, dropped }) => [entries.length, dropped])).toEqual([
      [0, 10],
      [10, 0],
      [11, 0],
      [10, 0],
    ])
    expect(() => journals[0]?.find()).toThrow(expect.objectContaining({ code: 'JOURNAL_INCOMPLETE' }))
    expect(journals[0]?.find({ after: 10 })).toEqual([])
  })

  test('leave the one that is being asked and the default one alone', () => {
    const sandboxes = open({ journalsLimit: 10 * KB })
    for (const name of ['default', 'busy']) {
      for (let turn = 0; turn < 20; turn += 1) sandboxes.open(name).journal.record(createExchange())
      expect(sandboxes.open(name).journal.entries).toHaveLength(20)
    }
  })

  test('of a sandbox that is gone count no longer, also where a request was still under way', () => {
    const sandboxes = open({ journalsLimit: 40 * KB })
    for (let round = 0; round < 50; round += 1) {
      const { journal } = sandboxes.open('short-lived')
      for (let turn = 0; turn < 10; turn += 1) journal.record(createExchange())
      sandboxes.remove('short-lived')
      journal.record(createExchange())
    }
    for (const name of ['one', 'two'])
      for (let turn = 0; turn < 15; turn += 1) sandboxes.open(name).journal.record(createExchange())
    expect(sandboxes.open('one').journal.entries).toHaveLength(15)
  })

  test('count a piece of a list once, however many answers hold it', () => {
    const budget = createJournalBudget(Number.POSITIVE_INFINITY, () => {})
    const list = new Uint8Array(60 * KB)
    const weights = [list, list, new Uint8Array(60 * KB)].map((piece) =>
      budget.weigh({ ...createExchange(), answer: { status: 200, headers: {}, body: [piece] } }),
    )
    expect(weights).toEqual([61 * KB, KB, 61 * KB])
  })

  test('hold what they say, whatever is recorded, cleared and dropped', () => {
    const step = fc.oneof(
      fc.record({ act: fc.constant('record' as const), bytes: fc.nat(2000) }),
      fc.constantFrom({ act: 'clear' as const }, { act: 'drop' as const }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (steps, size) => {
        let held = 0
        const budget = createJournalBudget(Number.POSITIVE_INFINITY, () => {})
        const spend = (bytes: number): void => {
          held += bytes
        }
        const journal = createJournal({ size, events: QUIET, budget: { ...budget, spend } })
        let kept: number[] = []
        let [count, cleared] = [0, 0]
        for (const each of steps) {
          act(journal, each)
          if (each.act === 'record') {
            kept = [...kept, each.bytes + KB].slice(-size)
            count += 1
          } else kept = []
          if (each.act === 'clear') cleared = count
        }
        expect(held).toBe(kept.reduce((sum, weight) => sum + weight, 0))
        expect(journal.entries.map(({ id }) => id)).toEqual(kept.map((_, index) => count - kept.length + 1 + index))
        expect(journal.dropped).toBe(count - kept.length - cleared)
      }),
    )
  })
})

const QUIET = { isWatched: false, emit: () => {} }

type Step = { readonly act: 'record'; readonly bytes: number } | { readonly act: 'clear' | 'drop' }

function act(journal: JournalRoom, step: Step): void {
  if (step.act === 'record') journal.record({ ...createExchange(), body: new Uint8Array(step.bytes) })
  else journal[step.act]()
}

function open({ journalsLimit }: { journalsLimit: number }) {
  const seed = loadSeed('empty')
  return createSandboxes({
    toApiKey: (name) => name,
    getSeed: () => seed,
    randomSeed: 0,
    journalSize: 1000,
    maxSandboxes: 100,
    journalsLimit,
    notify: () => {},
  })
}

/** It weighs a kilobyte. */
function createExchange(): Exchange {
  const request = { method: 'GET', path: '/v1/inventory', headers: () => [] }
  return {
    time: 0,
    duration: 0,
    sandbox: 'any',
    operation: 'listInventory',
    petId: undefined,
    request,
    body: undefined,
    answer: undefined,
    fault: undefined,
  }
}
