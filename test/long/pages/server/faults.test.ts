import { HttpResponse, http } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../../../src/index.ts'
import { serve } from '../../../../src/runtimes/server.ts'
import { describeEngines } from '../../../browser/engines/describe-engines.ts'
import { ENGINES } from '../../../browser/engines/engine.ts'
import { startTarget } from '../../../wire/start-server.ts'

const PAGE = '<!doctype html><title>A page</title><link rel="icon" href="data:,">'
const RULES = [
  { rule: { times: 1 }, results: ['TypeError', 200, 200, 200] },
  { rule: { times: 2 }, results: ['TypeError', 'TypeError', 200, 200] },
  { rule: { every: 2 }, results: [200, 'TypeError', 200, 'TypeError'] },
]

describeEngines(
  'a fault of the server fails one request of a page, which the browser does not send again,',
  (getEngine) => {
    test.each(['the server’s origin', 'another origin'])('at %s', async (place) => {
      const mock = createMock({ handlers: [http.get('*/v1/page', () => HttpResponse.html(PAGE))] })
      const { url, close } = await serve(mock)
      const other = await startTarget((_, response) => void response.setHeader('content-type', 'text/html').end(PAGE))
      await using context = await getEngine().newContext()
      onTestFinished(() => close({ grace: 0 }))
      const page = await context.newPage()
      await page.goto(place === 'another origin' ? other : `${url}/v1/page`)
      for (const { rule, results } of RULES) {
        for (const error of ['network', 'reset'] as const) {
          for (const [method, path] of [
            ['GET', '/v1/inventory'],
            ['PATCH', '/v1/inventory/1'],
          ] as const) {
            mock.reset()
            mock.faults.add({ method, error, ...rule })
            const found = await page.evaluate(sendFour, { url, method, path })
            expect([error, method, found, mock.journal.entries.length]).toEqual([error, method, results, 4 + 1])
          }
        }
      }
    })
  },
  ['chromium', ...ENGINES],
)

/** Runs in the page: leaves a connection that is idle, and sends the request four times. */
async function sendFour({ url, method, path }: { url: string; method: string; path: string }): Promise<unknown[]> {
  const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
  await fetch(`${url}/v1/unknown`, { method: 'POST' }).then((response) => response.text())
  const body = method === 'PATCH' ? '{"quantity":5}' : null
  const results = []
  for (let index = 0; index < 4; index += 1) {
    const sent = fetch(url + path, { method, headers, body })
    results.push(await sent.then(({ status }) => status).catch((error) => error.name))
  }
  return results
}
