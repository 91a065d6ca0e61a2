import { routeRequests } from '../../../src/runtimes/playwright/route-requests.ts'
import { useChromium } from '../../browser/connect-chromium.ts'
import { describeContract, type WireAnswer, type WireRequest } from '../../contract.ts'

const SITE = 'http://site.example'

/** Declares the contract of the mock as `fetch` of a page sees it, by default at the page's own origin. */
export function describeRouted(name: string, origin = SITE): void {
  const browser = useChromium()
  describeContract({
    name: `routeRequests with fetch at ${name}`,
    async connect(mock) {
      const context = await browser().newContext()
      await context.route(`${SITE}/`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>Site</title>' }),
      )
      await routeRequests(mock, context)
      const page = await context.newPage()
      await page.goto(`${SITE}/`)
      return {
        send: ({ path, body, ...request }) =>
          page.evaluate(sendFromPage, {
            ...request,
            url: origin + path,
            body: typeof body === 'string' || body === undefined ? body : [...body],
          }),
        close: () => context.close(),
      }
    },
  })
}

interface PageRequest extends Pick<WireRequest, 'method' | 'headers'> {
  readonly url: string
  readonly body: string | number[] | undefined
}

/** Runs in the page, and so knows nothing of this module. */
async function sendFromPage({ url, method, headers, body }: PageRequest): Promise<WireAnswer> {
  const content = typeof body === 'object' ? new Uint8Array(body) : body
  const response = await fetch(url, { method, headers, ...(content !== undefined && { body: content }) })
  const { status, statusText } = response
  return { status, statusText, headers: Object.fromEntries(response.headers), body: await response.text() }
}
