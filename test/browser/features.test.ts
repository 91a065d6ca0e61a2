import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { commands, server } from 'vitest/browser'
import { createMock, type Mock } from '../../src/index.ts'
import { type RunningWorker, startWorker } from '../../src/runtimes/browser.ts'
import { type BrowserName, FEATURES, type Feature, type FeatureId, type Mode, toCell } from './features.ts'
import type { PageRun } from './run-page.ts'

/** Asks something of the mock that answers the page, and tells what the page sees. */
type Observe = (scene: { readonly mock: Mock; readonly mode: Mode }) => Promise<string>

const headers = { authorization: 'Bearer demo-key' }
const LIST = '/v1/inventory'
const ELSEWHERE = 'https://api.petstore.example/v1/inventory'

const OBSERVE: Readonly<Record<FeatureId, Observe>> = {
  async fetch() {
    const answers = await Promise.all([LIST, ELSEWHERE].map((url) => fetch(url, { headers })))
    return toYes(answers.every(({ status }) => status === 200))
  },
  async keepalive() {
    const { status } = await fetch(LIST, { headers, keepalive: true })
    return toYes(status === 200)
  },
  async xhr() {
    const { events, status } = await sendXhr(ELSEWHERE)
    return toYes(events === 'load' && status === 200)
  },
  syncXhr: ({ mode }) => runPage({ run: 'sendSynchronously', argument: mode }),
  beacon({ mock }) {
    navigator.sendBeacon(LIST)
    return isAsked(mock)
  },
  image({ mock }) {
    new Image().src = LIST
    return isAsked(mock)
  },
  async webWorker({ mock }) {
    const code = `fetch('${location.origin}${LIST}').catch(() => {})`
    const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
    const worker = new Worker(address)
    const isSeen = await isAsked(mock)
    worker.terminate()
    URL.revokeObjectURL(address)
    return isSeen
  },
  async frame() {
    const frame = document.createElement('iframe')
    frame.src = '/site/'
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
    document.body.append(frame)
    await loaded
    const answer = await frame.contentWindow?.fetch(LIST, { headers })
    frame.remove()
    return toYes(answer?.status === 200)
  },
  async events({ mock }) {
    const { body } = await fetch('/_mock/events')
    const reader = body?.getReader()
    await reader?.read()
    mock.inventory.set(1, { quantity: 77 })
    const next = await reader?.read()
    await reader?.cancel()
    return next?.done ? 'in chunks' : 'yes'
  },
  async eventSource({ mock }) {
    const source = new EventSource('/_mock/events')
    let quantity = 0
    let chunks = 0
    const timer = setInterval(() => mock.inventory.set(1, { quantity: ++quantity }), 50)
    const seen = await new Promise<string>((resolve) => {
      source.addEventListener('state', () => chunks++)
      source.addEventListener('pet', () => resolve(chunks > 1 ? 'in chunks' : 'yes'))
      source.addEventListener('error', () => source.readyState === EventSource.CLOSED && resolve('no'))
    })
    clearInterval(timer)
    source.close()
    return seen
  },
  async network({ mock }) {
    mock.faults.add({ error: 'network', times: 1 })
    const first = await toName(fetch(LIST, { headers }))
    mock.faults.add({ error: 'reset', times: 1 })
    const second = await toName(fetch(LIST, { headers }))
    return first === second ? first : `${first}, ${second}`
  },
  timeout({ mock }) {
    mock.faults.add({ error: 'timeout' })
    return toName(fetch(LIST, { headers, signal: AbortSignal.timeout(100) }))
  },
  truncated({ mock }) {
    mock.faults.add({ error: 'truncated', times: 1 })
    return seeBroken(LIST)
  },
  async truncatedXhr({ mock }) {
    mock.faults.add({ error: 'truncated', times: 1 })
    const { events, status } = await sendXhr(LIST)
    return `\`${events}\` event${status === 0 ? '' : ` with status ${status}`}`
  },
  async slowBody({ mock }) {
    mock.faults.add({ bytesPerSecond: 2000, times: 1 })
    const { body, headers: received } = await fetch(LIST, { headers })
    const reader = body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    await reader?.cancel()
    return value?.byteLength === Number(received.get('content-length')) ? 'the body comes as a whole' : 'yes'
  },
  persist: ({ mode }) => inBothModes({ run: 'keepState' }, mode),
  insecure: ({ mode }) => inBothModes({ run: 'answerElsewhere', isInsecure: true }, mode),
  connectPolicy: ({ mode }) => inBothModes({ run: 'answerElsewhere', page: 'strict-connect' }, mode),
  workerPolicy: ({ mode }) => inBothModes({ run: 'answerElsewhere', page: 'strict-worker' }, mode),
}

describe.each(['worker', 'page'] as const)('docs/browsers.md is right about mode %s:', (mode) => {
  let mock: Mock
  let worker: RunningWorker

  beforeEach(async () => {
    mock = createMock()
    worker = await startWorker(mock, { mode })
  })

  afterEach(async () => {
    // Chromium keeps a worker that has a request without an end: a client that waits for ever is let go first.
    mock.reset()
    await worker.stop()
  })

  for (const [id, observe] of Object.entries(OBSERVE)) {
    const feature: Feature = FEATURES[id as FeatureId]
    const cell = toCell(feature[mode], server.browser as BrowserName)
    test(`${feature.title}: ${cell}`, async () => {
      expect(await observe({ mock, mode })).toBe(cell)
    })
  }
})

test('a second EventSource gets its first event as soon as the first one did', async () => {
  await using _worker = await startWorker(createMock())
  // Where events come in chunks, the first chunk waits for nothing.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  for (const turn of [1, 2]) {
    const source = new EventSource('/_mock/events')
    const events: string[] = []
    for (const type of ['state', 'pet']) source.addEventListener(type, () => events.push(type))
    await expect.poll(() => events, { message: `EventSource ${turn}` }).toEqual(['state'])
    source.close()
  }
})

test.each(['worker', 'page'] as const)('docs/server.md is right: no console in mode %s', async (mode) => {
  const worker = await startWorker(createMock(), { mode })
  const statuses = await Promise.all(['/_mock/', '/_mock/health'].map(async (url) => (await fetch(url)).status))
  await worker.stop()
  expect(statuses).toEqual([404, 200])
})

async function runPage(run: PageRun): Promise<string> {
  const { result } = await commands.runPage(run)
  return result === null ? 'hangs' : String(result)
}

/** A page is costly: one shows both modes, one after the other. */
const shown = new Map<string, ReturnType<typeof commands.runPage>>()

async function inBothModes(run: PageRun, mode: Mode): Promise<string> {
  const key = JSON.stringify(run)
  const outcome = shown.get(key) ?? commands.runPage(run)
  shown.set(key, outcome)
  const { result } = await outcome
  return (result as Readonly<Record<Mode, string>>)[mode]
}

function toYes(isSeen: boolean): string {
  return isSeen ? 'yes' : 'no'
}

/** A request that goes elsewhere leaves no sign, so this waits for a second. */
async function isAsked(mock: Mock): Promise<string> {
  const isSeen = (): boolean => mock.journal.entries.length > 0
  for (let turn = 0; turn < 20 && !isSeen(); turn++) await new Promise((resolve) => setTimeout(resolve, 50))
  return toYes(isSeen())
}

function toName(failing: Promise<unknown>): Promise<string> {
  return failing.then(
    () => 'no error',
    (error: Error) => error.name,
  )
}

async function seeBroken(url: string): Promise<string> {
  const answered = fetch(url, { headers })
  const answer = await answered.catch(() => undefined)
  if (answer === undefined) return `\`fetch\` fails: ${await toName(answered)}`
  return `the body fails: ${await toName(answer.text())}`
}

/** The events with which a request ends, but for `loadend`, and the status that it shows then. */
async function sendXhr(url: string): Promise<{ events: string; status: number }> {
  const request = new XMLHttpRequest()
  const events: string[] = []
  for (const type of ['load', 'error', 'abort', 'timeout'] as const) {
    request.addEventListener(type, () => events.push(type))
  }
  const ended = new Promise((resolve) => request.addEventListener('loadend', resolve))
  request.open('GET', url)
  request.setRequestHeader('authorization', headers.authorization)
  request.send()
  await ended
  return { events: events.join(), status: request.status }
}
