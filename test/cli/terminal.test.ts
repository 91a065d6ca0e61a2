import { stripVTControlCharacters } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Io } from '../../src/cli/command.ts'
import { createPaint, withProgress } from '../../src/cli/terminal.ts'
import { runCli, runCliIn } from './run-cli.ts'

const ON = { isTerminal: { out: true, err: true } }
const OFF = { isTerminal: { out: false, err: false } }

describe('colours', () => {
  test.each<[string, Pick<Io, 'env' | 'isTerminal'>, boolean]>([
    ['on a terminal', { env: {}, ...ON }, true],
    ['off a terminal', { env: {}, ...OFF }, false],
    ['with NO_COLOR', { env: { NO_COLOR: '1' }, ...ON }, false],
    ['with an empty NO_COLOR', { env: { NO_COLOR: '' }, ...ON }, true],
    ['on a dumb terminal', { env: { TERM: 'dumb' }, ...ON }, false],
    ['with FORCE_COLOR', { env: { FORCE_COLOR: '1', NO_COLOR: '1' }, ...OFF }, true],
    ['with FORCE_COLOR=0', { env: { FORCE_COLOR: '0' }, ...ON }, false],
  ])('%s', (_, io, isColoured) => {
    expect(createPaint(io, 'out')('red', 'text')).toBe(isColoured ? '\u001b[31mtext\u001b[39m' : 'text')
  })

  test('are in errors and in the log where they are asked for, and change no word', async () => {
    const { err } = await runCliIn({ FORCE_COLOR: '1' }, '--nope')
    expect(err).toContain('\u001b[31mpetstore-mock:\u001b[39m')
    expect(stripVTControlCharacters(err)).toBe((await runCli('--nope')).err)
  })
})

describe('progress', () => {
  test('work of more than a second is told once, at a terminal', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const err = vi.fn()
    for (const { isTerminal } of [ON, OFF]) {
      const { promise, resolve } = Promise.withResolvers<string>()
      const done = withProgress('Working…', { io: { err, isTerminal }, work: () => promise })
      vi.advanceTimersByTime(5000)
      resolve('result')
      expect(await done).toBe('result')
    }
    expect(err.mock.calls).toEqual([['Working…']])
  })
})
