import { HttpResponse, http } from 'msw'
import { setupWorker } from 'msw/browser'
import { describe, expect, test } from 'vitest'
import { createMock, MockError, type MockOptions } from '../../src/index.ts'
import { startWorker, type WorkerOptions } from '../../src/runtimes/browser.ts'

const { origin, href } = location
const INIT =
  'Run `npx petstore-mock init public/` with the folder that your site serves as its root, or set workerUrl to where the script lies.'

/** What stands after "Failed to start the worker: ". */
const REFUSED: Readonly<Record<string, { options: WorkerOptions; reason: string }>> = {
  'a missing script': {
    options: { workerUrl: '/missing.js' },
    reason: `there is no script at ${origin}/missing.js (HTTP 404). ${INIT}`,
  },
  'a page in place of a missing script': {
    options: { workerUrl: '/index.html.js' },
    reason: `${origin}/index.html.js is not a script but text/html; dev servers send their index.html where a file is missing. ${INIT}`,
  },
  'a script in a folder that the page is not in': {
    options: { workerUrl: '/folder/mockServiceWorker.js' },
    reason: `the page ${href} is outside the folder of the worker's script, ${origin}/folder/. Put the script into the root of the site with \`npx petstore-mock init public/\`.`,
  },
}

describe('a start that cannot succeed says why, and does not stand in the way of the next', () => {
  for (const [title, { options, reason }] of Object.entries(REFUSED)) {
    test(title, async () => {
      const error = await startWorker(createMock(), options).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(MockError)
      expect(error).toMatchObject({ code: 'WORKER_START', message: `Failed to start the worker: ${reason}` })
      await using _worker = await startWorker(createMock())
      expect((await fetch('/_mock/health')).status).toBe(200)
    })
  }

  // In between stand words of the browser's own.
  test('a script that throws', async () => {
    const error = (await startWorker(createMock(), { workerUrl: '/broken.js' }).catch((caught) => caught)) as MockError
    expect(error.code).toBe('WORKER_START')
    expect(error.message).toContain(`Failed to start the worker: the browser refused the script ${origin}/broken.js: `)
    expect(error.message).toContain(INIT)
    await using _worker = await startWorker(createMock())
    expect((await fetch('/_mock/health')).status).toBe(200)
  })

  test('a second start that would leave requests to the network, and the first goes on', async () => {
    await using _first = await startWorker(createMock())
    const options: [MockOptions, WorkerOptions][] = [
      [{ baseUrl: '/v2' }, {}],
      [{}, { mode: 'page' }],
      [{}, { workerUrl: '/elsewhere.js' }],
    ]
    for (const [mock, worker] of options) {
      await expect(startWorker(createMock({ fixture: 'empty', ...mock }), worker)).rejects.toMatchObject({
        code: 'WORKER_START',
        message:
          "Failed to start the worker: a mock for /v1 in mode 'worker' answers this page, and keeps answering. Only a mock for the same base URLs, in the same mode and with the same workerUrl, can take its place. Reload the page, or await stop() of the first worker.",
      })
      expect(await (await fetch('/_mock/health')).json()).toMatchObject({ pets: 10 })
    }
  })

  test('a start beside msw’s own set-up, which goes on', async () => {
    const own = setupWorker(http.get('/v1/inventory', () => HttpResponse.text('mine')))
    await own.start({ quiet: true })
    await expect(startWorker(createMock(), { workerUrl: '/elsewhere.js' })).rejects.toMatchObject({
      code: 'WORKER_START',
      message:
        "Failed to start the worker: msw answers this page already. Stop it first, or give it the mock's handlers instead: setupWorker(...createHandlers(mock)), from petstore-mock/msw.",
    })
    expect(await (await fetch('/v1/inventory')).text()).toBe('mine')
    await own.stop()
    await using _worker = await startWorker(createMock())
    expect((await fetch('/_mock/health')).status).toBe(200)
  })

  test('a workerUrl that is no address', async () => {
    await expect(startWorker(createMock(), { workerUrl: 'http://' })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('workerUrl must be an address, got "http://" (string).'),
    })
  })
})
