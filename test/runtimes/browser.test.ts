import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { assertServiceWorkers, type Surroundings } from '../../src/runtimes/browser/register-worker.ts'
import { assertPage } from '../../src/runtimes/browser/start-errors.ts'
import { parseWorkerOptions } from '../../src/runtimes/browser/worker-options.ts'
import { startWorker, type WorkerOptions } from '../../src/runtimes/browser.ts'

test('startWorker outside a page says so', async () => {
  await expect(startWorker(createMock())).rejects.toThrow(expect.objectContaining({ code: 'WORKER_START' }))
})

test('a start without its panel leaves the page as it was', async () => {
  vi.stubGlobal('document', {})
  vi.stubGlobal('location', new URL('http://page.example/'))
  onTestFinished(() => void vi.unstubAllGlobals())
  const { fetch } = globalThis
  await expect(startWorker(createMock(), { mode: 'page', panel: true, quiet: true })).rejects.toThrow()
  expect(globalThis.fetch).toBe(fetch)
})

describe('an option that is not understood is refused by name', () => {
  test.each<[string, object, string]>([
    ['an unknown name', { url: '/w.js' }, 'url is not known. Known: mode, workerUrl, scope, persist'],
    ['an unknown mode', { mode: 'iframe' }, 'mode must be one of worker, page, got "iframe" (string).'],
    ['a script without a worker', { mode: 'page', workerUrl: '/w.js' }, 'workerUrl is for a service worker, and'],
    ['a scope without a worker', { mode: 'page', scope: '/' }, 'scope is for a service worker'],
    ['a state without a name', { persist: '' }, 'persist must be true, false or a name, got "" (string).'],
    ['warnings for nobody', { onPersistWarning: 'log' }, 'onPersistWarning must be a function, got "log" (string).'],
    ['an unknown rule', { onUnhandledRequest: 'ignore' }, 'onUnhandledRequest must be one of bypass, warn, error'],
    ['a timeout of nothing', { timeout: 0 }, 'timeout must be a number of milliseconds above 0, got 0 (number).'],
    ['a scope that is no text', { scope: 7 }, 'scope must be an address, got 7 (number).'],
  ])('%s', (_, options, problem) => {
    expect(() => parseWorkerOptions(options as WorkerOptions)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(problem) }),
    )
  })
})

describe('surroundings without service workers', () => {
  const PAGE = "In a browser, answer inside the page: startWorker(mock, { mode: 'page' })."
  const NODE = 'In Node, answer requests with interceptRequests from petstore-mock/node.'
  const NONE =
    'there are no service workers here. A private window can be the reason, a frame with the sandbox attribute, or a DOM without a browser, such as jsdom.'
  const web = { href: 'http://localhost/', origin: 'http://localhost', protocol: 'http:' }
  test.each<[string, Surroundings, string]>([
    ['no page', { navigator: {} }, `this is not a page in a browser. ${NODE}`],
    [
      'a page opened from a file',
      {
        document: {},
        location: { href: 'file:///site/index.html', origin: 'null', protocol: 'file:' },
        isSecureContext: true,
        navigator: { serviceWorker: {} },
      },
      'the page file:///site/index.html was opened from a file, and service workers need a web server. Serve the folder, for instance with `npx vite`, and open it at http://localhost.',
    ],
    ['a page that jsdom made', { document: {}, location: web, navigator: {} }, `${NONE} ${PAGE} ${NODE}`],
    [
      'a frame with the sandbox attribute',
      {
        document: {},
        location: web,
        isSecureContext: true,
        navigator: {
          get serviceWorker(): never {
            throw new DOMException('The context is sandboxed', 'SecurityError')
          },
        },
      },
      `${NONE} ${PAGE} ${NODE}`,
    ],
  ])('%s', (_, surroundings, reason) => {
    expect(() => {
      assertPage(surroundings)
      assertServiceWorkers(surroundings)
    }).toThrow(expect.objectContaining({ code: 'WORKER_START', message: `Failed to start the worker: ${reason}` }))
  })
})
