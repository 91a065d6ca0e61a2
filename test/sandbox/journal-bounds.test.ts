import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NO_BYTES } from '../../src/http/bytes.ts'
import { SandboxJournal } from '../../src/sandbox/journal.ts'
import type { JournalRecord } from '../../src/sandbox/journal-entry.ts'
import { openSandboxes, RECORD } from './sandboxes.ts'

describe('the journals of all sandboxes', () => {
  /** A journal may keep more than all journals together, so that only their common limit counts. */
  function openJournals() {
    const sandboxes = openSandboxes('empty', { journalSize: 30_000 })
    const record = (name: string, count: number) => {
      const { journal } = sandboxes.open(name)
      for (let turn = 0; turn < count; turn += 1) journal.record({ ...RECORD })
    }
    const count = () => sandboxes.values().map(({ controls: { name }, journal }) => [name, journal.select({}).length])
    return { sandboxes, record, count }
  }

  test('keep 20,000 entries: above, the least recently used journal is emptied, and says so', () => {
    const { sandboxes, record, count } = openJournals()
    for (const name of ['old', 'middle', 'new', 'default']) record(name, 5000)
    expect(count()).toEqual([
      ['default', 5000],
      ['old', 5000],
      ['middle', 5000],
      ['new', 5000],
    ])
    record('new', 1)
    expect(count()).toEqual([
      ['default', 5000],
      ['old', 0],
      ['middle', 5000],
      ['new', 5001],
    ])
    const { journal } = sandboxes.open('old')
    expect(journal.dropped).toBe(5000)
    expect(() => journal.find()).toThrow(expect.objectContaining({ code: 'JOURNAL_INCOMPLETE' }))
    expect(journal.find({ after: 5000 })).toEqual([])
  })

  test('are emptied one after the other, past those that have no entries', () => {
    const { record, count } = openJournals()
    record('none', 0)
    for (const name of ['old', 'middle', 'new']) record(name, 6000)
    record('new', 8001)
    expect(count()).toEqual([
      ['default', 0],
      ['none', 0],
      ['old', 0],
      ['middle', 0],
      ['new', 14_001],
    ])
  })

  test('are emptied only until 20,000 entries are left', () => {
    const { record, count } = openJournals()
    record('one', 1)
    record('many', 9999)
    record('new', 10_001)
    expect(count()).toEqual([
      ['default', 0],
      ['one', 0],
      ['many', 9999],
      ['new', 10_001],
    ])
  })

  test('stay if they record late, after others were used', () => {
    const { sandboxes, record, count } = openJournals()
    const { journal } = sandboxes.open('late')
    record('default', 19_990)
    record('other', 10)
    journal.record({ ...RECORD })
    expect(count()).toEqual([
      ['default', 19_990],
      ['late', 1],
      ['other', 0],
    ])
  })

  test('of the default sandbox and of the one in use stay, however many entries they have', () => {
    const { record, count } = openJournals()
    record('default', 20_000)
    record('used', 10)
    expect(count()).toEqual([
      ['default', 20_000],
      ['used', 10],
    ])
  })

  test.each(['cleared', 'evicted', 'reset'])('make room when one is %s', (how) => {
    const { sandboxes, record, count } = openJournals()
    for (const name of ['kept', 'freed', 'new']) record(name, 5000)
    if (how === 'cleared') sandboxes.open('freed').journal.clear()
    if (how === 'evicted') sandboxes.remove('freed')
    if (how === 'reset') sandboxes.open('freed').reset()
    record('new', 10_000)
    expect(count()).toContainEqual(['kept', 5000])
    record('new', 1)
    expect(count()).toContainEqual(['kept', 0])
  })
})

describe('a journal', () => {
  test('counts what it keeps, whatever is recorded, cleared and dropped', () => {
    const step = fc.constantFrom(...(['record', 'record', 'record', 'record', 'clear', 'drop'] as const))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (steps, size) => {
        let counted = 0
        const countEntries = (count: number) => {
          counted += count
        }
        const journal = new SandboxJournal({ size, events: QUIET, countEntries, findReceivers: () => [] })
        let kept: number[] = []
        let newest = 0
        let cleared = 0
        for (const act of steps) {
          if (act === 'record') {
            journal.record({ ...RECORD })
            newest += 1
            kept = [...kept, newest].slice(-size)
          } else {
            journal[act]()
            kept = []
          }
          if (act === 'clear') cleared = newest
          expect(counted).toBe(kept.length)
        }
        expect(journal.entries.map(({ id }) => id)).toEqual(kept)
        expect(journal.dropped).toBe(newest - kept.length - cleared)
      }),
    )
  })

  test('has the body of a response that arrives after the exchange was recorded, if there is a response', () => {
    const journal = new SandboxJournal({ size: 10, events: QUIET, countEntries: () => {}, findReceivers: () => [] })
    const answer = { type: 'response', status: 200, headers: {}, body: NO_BYTES } as const
    const records: JournalRecord[] = [{ ...RECORD, answer }, { ...RECORD }]
    for (const record of records) {
      journal.record(record)
      journal.addAnswerBody(record, new TextEncoder().encode('late'))
    }
    expect(journal.entries.map((entry) => entry.answer?.body)).toEqual(['late', undefined])
    expect(answer.body).toBe(NO_BYTES)
  })
})

const QUIET = { isWatched: false, emit: () => {} }
