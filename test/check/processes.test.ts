import type { ChildProcess, spawn } from 'node:child_process'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runCheck } from '../../src/check/run-check.ts'
import { serveChecked } from '../../src/check/serve-checked.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'

const started = vi.hoisted((): ChildProcess[] => [])

vi.mock(import('node:child_process'), async (importOriginal) => {
  const original = await importOriginal()
  const spawnNoted = (...parts: Parameters<typeof spawn>): ChildProcess => {
    const child = original.spawn(...parts)
    started.push(child)
    return child
  }
  return { ...original, spawn: spawnNoted as typeof spawn }
})

describe('Prism is ended by', () => {
  afterEach(() => {
    started.length = 0
  })

  test('a check that is done', async () => {
    await runCheck()
    expect(countRunning()).toEqual({ started: 1, running: 0 })
  })

  test('a check that fails in its middle', async () => {
    await using server = await serve(createMock())
    const stop = new AbortController()
    const check = runCheck({ url: server.url, signal: stop.signal })
    await expect.poll(() => started.length).toBe(1)
    stop.abort(new Error('enough'))
    await expect(check).rejects.toThrow('enough')
    await expect.poll(countRunning).toEqual({ started: 1, running: 0 })
  })

  test('a server that is closed', async () => {
    const server = await serveChecked(createMock(), { onViolation() {} })
    expect(countRunning()).toEqual({ started: 1, running: 1 })
    await server.close()
    expect(countRunning()).toEqual({ started: 1, running: 0 })
  })

  test('a server that cannot start', async () => {
    await using server = await serve(createMock())
    await expect(serveChecked(createMock(), { onViolation() {}, port: server.port })).rejects.toThrow('is taken')
    expect(countRunning()).toEqual({ started: 1, running: 0 })
  })
})

function countRunning(): { started: number; running: number } {
  const running = started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
  return { started: started.length, running: running.length }
}
