import { expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { openApp } from './open-app.ts'
import { editMock, visitApp } from './visit-app.ts'

declare global {
  /** Returns what went wrong. */
  var stopPolling: () => Promise<string[]>
}

/** Declares what hot updates do to the requests of a page in this mode. */
export function describePolling(mode: 'worker' | 'page'): void {
  const browser = useChromium()

  test(`while a page polls in mode ${mode}, an edit of the file that starts the worker lets no request through`, async () => {
    await using app = await openApp('react', {
      'src/mock.ts': (text) => text.replace('persist: true', `persist: true, mode: '${mode}'`),
    })
    const page = await visitApp(browser(), app)
    await page.evaluate(poll)
    await editMock(page, app, ['New mock', 'Newer mock', 'Newest mock'])
    expect(await page.evaluate(() => globalThis.stopPolling())).toEqual([])
    expect(app.leaked).toEqual([])
  })
}

/** Lists the pets every 10 ms, and books one more of pet 1 as soon as the last one is booked. Runs in the page. */
function poll(): void {
  const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
  const problems: string[] = []
  const list = async (): Promise<number> => {
    const response = await fetch('/v1/inventory', { headers })
    const [first] = await response.json()
    return first.quantity
  }
  const note = (problem: unknown): unknown => problems.push(String(problem))
  const lists = new Set<Promise<unknown>>()
  const timer = setInterval(() => lists.add(list().catch(note)), 10)
  let isOn = true
  let quantity = 13
  async function update(): Promise<void> {
    quantity += 1
    await new Promise<void>((resolve) => {
      const request = new XMLHttpRequest()
      request.open('PATCH', '/v1/inventory/1')
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.onloadend = () => {
        if (request.status !== 200) note(`PATCH ${request.status}`)
        resolve()
      }
      request.send(JSON.stringify({ quantity }))
    })
    const listed = await list()
    if (listed !== quantity) note(`${listed} listed, ${quantity} booked`)
    if (isOn) await update()
  }
  const updated = update().catch(note)
  globalThis.stopPolling = async () => {
    isOn = false
    clearInterval(timer)
    await Promise.all([...lists, updated])
    return problems
  }
}
