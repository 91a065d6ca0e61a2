import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { assertServiceWorkers } from '../../src/runtimes/browser/register-worker.ts'
import { parseWorkerOptions } from '../../src/runtimes/browser/worker-options.ts'
import { startWorker, type WorkerOptions } from '../../src/runtimes/browser.ts'

test('startWorker outside a page says so', async () => {
  const message =
    'Failed to start the worker: this is not a page in a browser. In Node, answer requests with interceptRequests from petstore-mock/node.'
  await expect(startWorker(createMock())).rejects.toThrow(expect.objectContaining({ code: 'WORKER_START', message }))
})

test('a page that jsdom made has no service workers', () => {
  vi.stubGlobal('location', new URL('http://localhost/'))
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(assertServiceWorkers).toThrow(expect.objectContaining({ code: 'WORKER_START' }))
})

test('a start without its panel leaves the page as it was', async () => {
  vi.stubGlobal('document', {})
  vi.stubGlobal('location', new URL('http://page.example/'))
  onTestFinished(() => void vi.unstubAllGlobals())
  const { fetch } = globalThis
  await expect(startWorker(createMock(), { mode: 'page', panel: true, quiet: true })).rejects.toThrow()
  expect(globalThis.fetch).toBe(fetch)
})

test('a second start without its panel leaves the page to the first mock', async () => {
  vi.stubGlobal('document', {})
  vi.stubGlobal('location', new URL('http://page.example/'))
  onTestFinished(() => void vi.unstubAllGlobals())
  await using _first = await startWorker(createMock(), { mode: 'page', quiet: true })
  const second = startWorker(createMock({ fixture: 'empty' }), { mode: 'page', panel: true, quiet: true })
  const held = fetch('http://page.example/_mock/health')
  await expect(second).rejects.toThrow()
  for (const response of [await held, await fetch('http://page.example/_mock/health')])
    expect(await response.json()).toMatchObject({ pets: 10 })
})

describe('an option that is not understood is refused by name', () => {
  test.each<[string, object, string]>([
    ['an unknown name', { url: '/w.js' }, 'url is not known. Known: mode, workerUrl, persist'],
    ['an unknown mode', { mode: 'iframe' }, 'mode must be one of worker, page, got "iframe" (string).'],
    ['a script without a worker', { mode: 'page', workerUrl: '/w.js' }, 'workerUrl is for a service worker, and'],
    ['a state without a name', { persist: '' }, 'persist must be true, false or a name, got "" (string).'],
    ['warnings for nobody', { onPersistWarning: 'log' }, 'onPersistWarning must be a function, got "log" (string).'],
    ['an unknown rule', { onUnhandledRequest: 'ignore' }, 'onUnhandledRequest must be one of bypass, warn, error'],
    ['an address that is no text', { workerUrl: 7 }, 'workerUrl must be an address, got 7 (number).'],
  ])('%s', (_, options, problem) => {
    expect(() => parseWorkerOptions(options as WorkerOptions)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(problem) }),
    )
  })
})
