import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { assertPage, assertServiceWorkers, type Surroundings } from '../../src/runtimes/browser/start-errors.ts'
import { parseWorkerOptions } from '../../src/runtimes/browser/worker-options.ts'
import { startWorker, type WorkerOptions } from '../../src/runtimes/browser.ts'

test('startWorker outside a page says so', async () => {
  await expect(startWorker(createMock())).rejects.toThrow(expect.objectContaining({ code: 'WORKER_START' }))
})

describe('an option that is not understood is refused by name', () => {
  const OPTIONS: Readonly<Record<string, { options: object; problem: string }>> = {
    'an unknown name': {
      options: { url: '/w.js' },
      problem:
        'url is not known. Known: mode, workerUrl, scope, persist, onPersistWarning, onUnhandledRequest, panel, quiet, timeout.',
    },
    'an unknown mode': {
      options: { mode: 'iframe' },
      problem: 'mode must be one of worker, page, got "iframe" (string).',
    },
    'a script where there is no worker': {
      options: { mode: 'page', workerUrl: '/w.js' },
      problem: "workerUrl is for a service worker, and mode 'page' has none. Leave it out.",
    },
    'a scope where there is no worker': {
      options: { mode: 'page', scope: '/' },
      problem: "scope is for a service worker, and mode 'page' has none. Leave it out.",
    },
    'a state without a name': {
      options: { persist: '' },
      problem: 'persist must be true, false or a name, got "" (string).',
    },
    'warnings for nobody': {
      options: { onPersistWarning: 'log' },
      problem: 'onPersistWarning must be a function, got "log" (string).',
    },
    'an unknown rule': {
      options: { onUnhandledRequest: 'ignore' },
      problem: 'onUnhandledRequest must be one of bypass, warn, error, got "ignore" (string).',
    },
    'a timeout of nothing': {
      options: { timeout: 0 },
      problem: 'timeout must be a number of milliseconds above 0, got 0 (number).',
    },
    'a scope that is no text': { options: { scope: 7 }, problem: 'scope must be an address, got 7 (number).' },
  }
  for (const [title, { options, problem }] of Object.entries(OPTIONS)) {
    test(title, () => {
      expect(() => parseWorkerOptions(options as WorkerOptions)).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(problem) }),
      )
    })
  }
})

describe('surroundings without service workers', () => {
  const PAGE = "In a browser, answer inside the page: startWorker(mock, { mode: 'page' })."
  const NODE = 'In Node, answer requests with interceptRequests from petstore-mock/node.'
  const NONE =
    'there are no service workers here. A private window can be the reason, a frame with the sandbox attribute, or a DOM without a browser, such as jsdom.'
  const web = { href: 'http://localhost/', origin: 'http://localhost', protocol: 'http:' }
  const SURROUNDINGS: Readonly<Record<string, { surroundings: Surroundings; reason: string }>> = {
    'no page': { surroundings: { navigator: {} }, reason: `this is not a page in a browser. ${NODE}` },
    'a page opened from a file': {
      surroundings: {
        document: {},
        location: { href: 'file:///site/index.html', origin: 'null', protocol: 'file:' },
        isSecureContext: true,
        navigator: { serviceWorker: {} },
      },
      reason:
        'the page file:///site/index.html was opened from a file, and service workers need a web server. Serve the folder, for instance with `npx vite`, and open it at http://localhost.',
    },
    'a page that jsdom made': {
      surroundings: { document: {}, location: web, navigator: {} },
      reason: `${NONE} ${PAGE} ${NODE}`,
    },
    'a frame with the sandbox attribute': {
      surroundings: {
        document: {},
        location: web,
        isSecureContext: true,
        navigator: {
          get serviceWorker(): never {
            throw new DOMException('The context is sandboxed', 'SecurityError')
          },
        },
      },
      reason: `${NONE} ${PAGE} ${NODE}`,
    },
  }
  for (const [title, { surroundings, reason }] of Object.entries(SURROUNDINGS)) {
    test(title, () => {
      expect(() => {
        assertPage(surroundings)
        assertServiceWorkers(surroundings)
      }).toThrow(expect.objectContaining({ code: 'WORKER_START', message: `Failed to start the worker: ${reason}` }))
    })
  }
})
