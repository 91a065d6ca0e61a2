// Worker mode, page mode, and a worker of the user's own beside them. The page's title says how it went.
import { HttpResponse, http } from 'msw'
import { setupWorker } from 'msw/browser'
import { createMock } from 'petstore-mock'
import { startWorker } from 'petstore-mock/browser'
import { createHandlers } from 'petstore-mock/msw'

const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
const body = '{"quantity":20}'

async function send(path, init) {
  const response = await fetch(path, { ...init, headers })
  return { status: response.status, text: await response.text() }
}

function expect(actual, expected, what) {
  if (actual !== expected) throw new Error(`${what}: ${actual} instead of ${expected}`)
}

async function use(mock, what) {
  mock.use(http.get('/v1/store/orders', () => HttpResponse.text('mine')))
  expect(JSON.parse((await send('/v1/inventory')).text).length, 10, `${what}, list`)
  expect((await send('/v1/inventory/1', { method: 'PATCH', body })).status, 200, `${what}, update`)
  expect(mock.inventory.get(1).quantity, 20, `${what}, quantity`)
  mock.faults.add({ status: 503, times: 1 })
  expect((await send('/v1/inventory')).status, 503, `${what}, fault`)
  expect((await send('/v1/store/orders')).text, 'mine', `${what}, handler of the user`)
}

/** Starts, uses and stops it, and again. */
async function tryTwice(what, start) {
  for (const turn of ['first', 'second']) {
    const mock = createMock()
    const stop = await start(mock)
    await use(mock, `${what}, ${turn} start`)
    await stop()
    // Vite's dev server responds with its page.
    expect((await send('/v1/inventory')).text.startsWith('['), false, `${what}, ${turn} stop`)
  }
}

/** As hot reloading does: the next mock takes the place of the one before, while the page sends requests. */
async function replace(mode) {
  let worker = await startWorker(createMock(), { mode })
  let isOn = true
  const statuses = new Set()
  const poll = async () => {
    while (isOn) statuses.add((await send('/v1/inventory/1', { method: 'PATCH', body })).status)
  }
  const polls = Array.from({ length: 5 }, poll)
  for (let turn = 0; turn < 3; turn++) {
    worker = await startWorker(createMock(), { mode })
    await send('/v1/inventory')
  }
  isOn = false
  await Promise.all(polls)
  expect(String([...statuses]), '200', `${mode}, another start`)
  await worker.stop()
}

/** A download, or a reload that waits for its server: the browser announces that it leaves the page, which then goes on. */
async function announceLeaving(mode) {
  const worker = await startWorker(createMock(), { mode })
  dispatchEvent(new Event('beforeunload'))
  for (let turn = 0; turn < 20; turn++)
    expect((await send('/v1/inventory')).text.startsWith('['), true, `${mode}, request ${turn} after beforeunload`)
  await worker.stop()
}

async function run() {
  for (const mode of ['worker', 'page']) {
    await announceLeaving(mode)
    await replace(mode)
    await tryTwice(mode, async (mock) => {
      const worker = await startWorker(mock, { mode, onUnhandledRequest: 'error' })
      const other = await send('/other').catch(() => ({ status: 'an error' }))
      expect(other.status, 'an error', `${mode}, unhandled request`)
      return () => worker.stop()
    })
  }
  const own = setupWorker()
  await tryTwice("a user's own worker", async (mock) => {
    own.resetHandlers(...createHandlers(mock))
    await own.start({ quiet: true, onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' })
    const refused = await startWorker(createMock()).catch(({ code }) => code)
    expect(refused, 'WORKER_START', 'startWorker beside it')
    return async () => {
      await own.stop()
      // In msw 2, stop() does not wait for the worker.
      while ((await send('/v1/inventory')).text.startsWith('['));
    }
  })
}

document.title = await run().then(
  () => 'It works.',
  (error) => error.message,
)
