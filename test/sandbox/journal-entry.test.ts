import { describe, expect, test } from 'vitest'
import { NO_BYTES } from '../../src/http/bytes.ts'
import { RequestRecord } from '../../src/http/wire-request.ts'
import {
  type JournalRecord,
  LARGEST_EVENT_BODY,
  LARGEST_JOURNAL_BODY,
  toJournalEntry,
} from '../../src/sandbox/journal-entry.ts'
import { RECORD } from './sandboxes.ts'

describe('an entry of the journal', () => {
  test('leaves out what the exchange did not have', () => {
    const entry = toJournalEntry(RECORD)
    expect(Object.keys(entry)).toEqual(['id', 'time', 'duration', 'sandbox', 'resource', 'request'])
    expect(Object.keys(entry.request)).toEqual(['method', 'path', 'headers', 'body'])
  })

  test('says so where the body was not read', () => {
    expect(toJournalEntry({ ...RECORD, body: undefined }).request).toMatchObject({ body: '', isCut: true })
  })

  test.each(['handler', 'stub', 'proxy'] as const)('says that a %s answered', (by) => {
    expect(toJournalEntry({ ...RECORD, by })).toHaveProperty('by', by)
  })

  test('has its time in ISO 8601, and its duration to the microsecond', () => {
    expect(toJournalEntry({ ...RECORD, time: 0, duration: 1.23456 })).toMatchObject({
      time: '1970-01-01T00:00:00.000Z',
      duration: 1.235,
    })
  })

  test('shows no credential of an address or a header', () => {
    const lines = 'authorization\nBearer demo-key\naccept\n*/*\n'
    const request = new RequestRecord('GET', { path: '/v1/inventory?token=demo-key', lines })
    const answer = { type: 'response', status: 200, headers: { 'set-cookie': 'sid=demo-key' }, body: NO_BYTES } as const
    expect(toJournalEntry({ ...RECORD, request, answer })).toMatchObject({
      request: {
        path: '/v1/inventory?token=(hidden)',
        headers: { authorization: 'Bearer (hidden)', accept: '*/*' },
      },
      answer: { status: 200, headers: { 'set-cookie': '(hidden)' }, body: '' },
    })
  })

  test.each([
    ['the journal', toJournalEntry, LARGEST_JOURNAL_BODY],
    ['an event', (record: JournalRecord) => toJournalEntry(record, LARGEST_EVENT_BODY), 4096],
  ] as const)('of %s has a body up to the limit whole, and cuts a longer one', (_, toEntry, limit) => {
    const whole = toEntry({ ...RECORD, body: new Uint8Array(limit).fill(0x61) })
    expect(whole.request.body).toHaveLength(limit)
    expect(whole.request).not.toHaveProperty('isCut')
    const cut = toEntry({ ...RECORD, body: new Uint8Array(limit + 1).fill(0x61) })
    expect([cut.request.body.length, cut.request.isCut]).toEqual([limit, true])
  })
})
