import { defineBrowserCommand } from '@vitest/browser-playwright'
import { INSECURE_HOST } from './chromium.ts'

/** A function to run in its own page. */
export interface PageRun {
  readonly run: keyof typeof import('./pages.ts')
  readonly argument?: unknown
  readonly page?: string
  /** Reached over http at a name that makes no secure context. */
  readonly isInsecure?: boolean
}

interface PageOutcome {
  readonly origin: string
  readonly result: unknown
  readonly log: readonly string[]
}

declare module 'vitest/browser' {
  interface BrowserCommands {
    runPage(run: PageRun): Promise<PageOutcome>
  }
}

/** Runs a function in a top-level page that is its browser's only page, unlike the frame of a test. */
export const runPage = defineBrowserCommand<[PageRun]>(async ({ context, newContext, project }, run) => {
  const site = new URL(`/site/${run.page ?? ''}`, project.vite.resolvedUrls?.local[0])
  if (run.isInsecure) site.hostname = newContext === undefined ? INSECURE_HOST : '[::ffff:127.0.0.1]'
  await using own: ContextOfOne | undefined = await (newContext?.() ?? context.browser()?.newContext())
  if (own === undefined) throw new Error('There is no browser to open a page in.')
  const page = await own.newPage()
  await page.goto(site.href)
  return await page.evaluate(runModule, run)
})

/** What Playwright's contexts and those of `engines` have in common. */
interface ContextOfOne extends AsyncDisposable {
  newPage(): Promise<{
    goto(url: string): Promise<unknown>
    evaluate(run: typeof runModule, argument: PageRun): Promise<PageOutcome>
  }>
}

/** Runs in the page, and cannot use outside variables. */
async function runModule({ run, argument }: PageRun): Promise<PageOutcome> {
  const log: string[] = []
  for (const method of ['debug', 'error', 'log', 'warn'] as const) {
    console[method] = (...values: unknown[]) => void log.push(values.join(' '))
  }
  addEventListener('error', ({ message }) => void log.push(message))
  addEventListener('unhandledrejection', ({ reason }) => void log.push(String(reason)))
  const address = '/site/pages.js'
  const pages = await import(/* @vite-ignore */ address)
  return { origin: location.origin, result: await pages[run](argument), log }
}
