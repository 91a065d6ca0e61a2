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
    const { result } = await commands.runPage({ run: 'start', argument: { workerUrl: '/another-worker.js' } })
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

  test('a page that another worker has for itself is refused', async () => {
    const { result } = await commands.runPage({ run: 'startUnderAnother' })
    expect(result).toBe(
      `${FAILED} the page is in the scope ${origin}/site/ of another worker, ${origin}/another-worker.js. Put msw's script into that folder, or stop the site from registering the other worker.`,
    )
  })

  test('a page of an insecure origin is refused', async () => {
    const { origin, result } = await commands.runPage({ run: 'start', argument: {}, isInsecure: true })
    expect(result).toBe(
      `${FAILED} the page at ${origin} is not secure, or a page around it is not, and browsers give service workers to secure pages only. Open it at http://localhost or over https, or answer inside the page: startWorker(mock, { mode: 'page' }).`,
    )
  })

  test.each([
    { page: 'strict-worker', named: 'worker-src' },
    { page: 'sandboxed', named: 'sandbox' },
  ])('a $page page is refused, and not told to run init', async ({ page, named }) => {
    const { result } = await commands.runPage({ run: 'start', argument: {}, page })
    expect(result).toMatch(/^Failed to start the worker: .*mode: 'page' }/)
    expect(result).toContain(named)
    expect(result).not.toContain('petstore-mock init')
  })
})
