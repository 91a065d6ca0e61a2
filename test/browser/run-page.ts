import { defineBrowserCommand } from '@vitest/browser-playwright'
import { INSECURE_HOST } from './chromium.ts'

/** What to run in a page of its own. */
export interface PageRun {
  /** A module of `test/browser/pages`, whose `run()` is called. */
  readonly module: string
  /** Its argument. */
  readonly argument?: unknown
  /** Reached over http at a name that makes no secure context. */
  readonly isInsecure?: boolean
}

export interface PageOutcome {
  readonly result: unknown
  /** What the page wrote to its console, and what it threw. */
  readonly log: readonly string[]
}

declare module 'vitest/browser' {
  interface BrowserCommands {
    runPage(run: PageRun): Promise<PageOutcome>
  }
}

/** Runs a function in a top-level page that is its browser's only one, which the frame of a test is not. */
export const runPage = defineBrowserCommand<[PageRun]>(async ({ context, page: frame }, run) => {
  const site = new URL('/site/', frame.url())
  if (run.isInsecure) site.hostname = INSECURE_HOST
  const browser = context.browser()
  if (browser === null) throw new Error('There is no browser to open a page in.')
  const own = await browser.newContext()
  try {
    const page = await own.newPage()
    const log: string[] = []
    page.on('console', (message) => log.push(message.text()))
    page.on('pageerror', (error) => log.push(String(error)))
    await page.goto(site.href)
    const result = await page.evaluate(
      ({ module, argument }) => import(`/test/browser/pages/${module}.ts`).then((page) => page.run(argument)),
      run,
    )
    return { result, log } satisfies PageOutcome
  } finally {
    await own.close()
  }
})
