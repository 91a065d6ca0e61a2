/** The browsers of the tests, by Vitest's names. */
const BROWSERS = ['chromium', 'firefox', 'webkit'] as const
export type BrowserName = (typeof BROWSERS)[number]

export type Mode = 'worker' | 'page'

type Seen = string | Readonly<Record<BrowserName, string>>

/** A feature of pages, and its result in each mode. */
export type Feature = Readonly<Record<Mode, Seen>> & { readonly title: string }

/** The table of `docs/browsers.md`. `features.test.ts` checks each cell in the browsers. */
export const FEATURES = {
  fetch: { title: '`fetch`', worker: 'yes', page: 'yes' },
  keepalive: { title: '`fetch` with `keepalive: true`', worker: 'yes', page: 'yes' },
  xhr: { title: 'XMLHttpRequest', worker: 'yes', page: 'yes' },
  syncXhr: {
    title: 'synchronous XMLHttpRequest',
    worker: { chromium: 'no', firefox: 'fails: NetworkError', webkit: 'no' },
    page: 'no',
  },
  beacon: { title: '`navigator.sendBeacon`', worker: 'yes', page: 'no' },
  image: { title: 'images and other files of the page', worker: 'yes', page: 'no' },
  webWorker: { title: '`fetch` in a web worker', worker: 'yes', page: 'no' },
  frame: { title: '`fetch` in a frame', worker: 'yes', page: 'no' },
  events: {
    title: '`/_mock/events` with `fetch`',
    worker: { chromium: 'yes', firefox: 'yes', webkit: 'in chunks' },
    page: 'yes',
  },
  eventSource: {
    title: '`/_mock/events` with EventSource',
    worker: { chromium: 'yes', firefox: 'yes', webkit: 'in chunks' },
    page: 'no',
  },
  network: { title: 'faults `network` and `reset`', worker: 'TypeError', page: 'TypeError' },
  timeout: {
    title: 'fault `timeout` and `AbortSignal.timeout`',
    worker: { chromium: 'TimeoutError', firefox: 'TimeoutError', webkit: 'AbortError' },
    page: 'TimeoutError',
  },
  truncated: {
    title: 'fault `truncated` with `fetch`',
    worker: {
      chromium: 'the body fails: TypeError',
      firefox: 'the body fails: AbortError',
      webkit: '`fetch` fails: TypeError',
    },
    page: {
      chromium: 'the body fails: TypeError',
      firefox: 'the body fails: AbortError',
      webkit: 'the body fails: TypeError',
    },
  },
  truncatedXhr: {
    title: 'fault `truncated` with XMLHttpRequest',
    worker: { chromium: '`abort` event', firefox: '`error` event', webkit: '`error` event' },
    page: '`error` event',
  },
  slowBody: {
    title: 'fault `bytesPerSecond`',
    worker: { chromium: 'yes', firefox: 'yes', webkit: 'the body comes as a whole' },
    page: 'yes',
  },
  persist: { title: '`persist` keeps the state', worker: 'yes', page: 'yes' },
  insecure: { title: 'a page over http that is not on localhost', worker: 'no', page: 'yes' },
  connectPolicy: {
    title: "Content-Security-Policy `connect-src 'self'`, and an API at another origin",
    worker: 'no',
    page: 'yes',
  },
  workerPolicy: { title: "Content-Security-Policy `worker-src 'none'`", worker: 'no', page: 'yes' },
} as const satisfies Readonly<Record<string, Feature>>

export type FeatureId = keyof typeof FEATURES

export function toCell(seen: Seen, browser: BrowserName): string {
  return typeof seen === 'string' ? seen : seen[browser]
}

/** The table in Markdown. A browser is named where it differs from Chromium. */
export function toTable(): string {
  const rows = Object.values(FEATURES).map(({ title, worker, page }: Feature) => [
    title,
    toCells(worker),
    toCells(page),
  ])
  return [['', 'worker mode', 'page mode'], Array(3).fill('---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function toCells(seen: Seen): string {
  const usual = toCell(seen, 'chromium')
  const others = BROWSERS.filter((browser) => toCell(seen, browser) !== usual)
  const names = { chromium: 'Chromium', firefox: 'Firefox', webkit: 'WebKit' }
  return [usual, ...others.map((browser) => `${names[browser]}: ${toCell(seen, browser)}`)].join('; ')
}
