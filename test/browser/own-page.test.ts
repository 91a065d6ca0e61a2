import { describe, expect, test } from 'vitest'
import { commands } from 'vitest/browser'

const { origin } = location
const FAILED = 'Failed to start the worker:'

describe.concurrent('in a page of its own', () => {
  test('a worker starts and stops again and again', async () => {
    const { result } = await commands.runPage({ run: 'startAgain' })
    expect(result).toEqual(Array(3).fill('200, then 404 with 0 workers'))
  })

  test('a script that has changed since the last visit is in place before the start', async () => {
    const { result, log } = await commands.runPage({ run: 'startAfterChange' })
    expect(result).toBe(200)
    expect(log).toEqual([])
  })

  // In Firefox it takes a second on every other visit.
  test.each([
    { isChanged: true, found: 'the newer one' },
    { isChanged: false, found: 'the earlier one' },
  ])('a start does not wait for update(): script changed $isChanged', async ({ isChanged, found }) => {
    const { result } = await commands.runPage({ run: 'findNewer', argument: { isChanged } })
    expect(result).toBe(found)
  })

  test('a script of another msw is refused and taken out, and the right one starts', async () => {
    const { result } = await commands.runPage({ run: 'startAfterError' })
    expect(result).toEqual([
      `${FAILED} the script ${origin}/msw-2.js is of msw 2.10.4, and this page has msw 3. Run \`npx petstore-mock init public/\` again, which overwrites it.`,
      '0 workers',
      'started',
    ])
  })

  test('another service worker is refused', async () => {
    const { result } = await commands.runPage({ run: 'startUnanswered', argument: { workerUrl: '/another-worker.js' } })
    expect(result).toBe(
      `${FAILED} the script ${origin}/another-worker.js did not answer as msw's worker does. If it is another service worker, run \`npx petstore-mock init public/\` and set workerUrl to the file it writes.`,
    )
  })

  test('a worker that requests go past is refused', async () => {
    const { result } = await commands.runPage({ run: 'start', argument: { workerUrl: '/deaf.js' } })
    expect(result).toBe(
      `${FAILED} the worker runs, but a request of this page did not come back from it. Take the workers of this site out in the browser's developer tools, and reload the page.`,
    )
  })

  test('a page of an insecure origin is refused', async () => {
    const { origin, result } = await commands.runPage({ run: 'start', argument: {}, isInsecure: true })
    expect(result).toMatch(`${FAILED} the page ${origin}/`)
    expect(result).toContain(
      "has no service workers. Browsers give them to pages at http://localhost or over https, but not to files, frames with the sandbox attribute and some private windows. Open the page at such an address, or answer inside the page: startWorker(mock, { mode: 'page' }). In Node, answer requests with interceptRequests",
    )
  })

  test.each([
    { page: 'strict-worker', named: 'worker-src' },
    { page: 'sandboxed', named: 'frames with the sandbox attribute' },
  ])('a $page page is refused, and not told to run init', async ({ page, named }) => {
    const { result } = await commands.runPage({ run: 'start', argument: {}, page })
    expect(result).toMatch(/^Failed to start the worker: .*mode: 'page' }/)
    expect(result).toContain(named)
    expect(result).not.toContain('petstore-mock init')
  })
})
