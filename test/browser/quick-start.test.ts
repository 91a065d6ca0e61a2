import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { startWorker } from '../../src/runtimes/browser.ts'

const KEY = { authorization: 'Bearer demo-key' }

test('the page’s requests are answered by its service worker, and made to fail and work again from the developer console', async () => {
  const { worker } = await import('../recipes/browser/start-worker.ts')
  try {
    const response = await fetch('/v1/inventory', { headers: KEY })
    expect(await response.json()).toHaveLength(10)
    await import('../recipes/browser/make-it-fail.js')
    expect((await fetch('/v1/inventory', { headers: KEY })).status).toBe(503)
    const delay = await fetch('/_mock/delay')
    expect(await delay.json()).toEqual({ delay: 1000 })
    await import('../recipes/browser/end-failures.js')
    expect((await fetch('/v1/inventory', { headers: KEY })).status).toBe(200)
    expect(await (await fetch('/_mock/delay')).json()).toEqual({ delay: 0 })
  } finally {
    await worker.stop()
  }
})

test('a page keeps its state for the next visit', async () => {
  const { worker } = await import('../recipes/browser/keep-state.ts')
  const update = { method: 'PATCH', headers: { ...KEY, 'content-type': 'application/json' }, body: '{"quantity":77}' }
  expect((await fetch('/v1/inventory/1', update)).status).toBe(200)
  await worker.stop()

  const mock = createMock()
  const next = await startWorker(mock, { persist: true })
  expect(mock.inventory.get(1)?.quantity).toBe(77)
  await next.forget()
  await next.stop()
})

test('a page with a worker of msw’s own keeps its state, too', async () => {
  localStorage.removeItem('pets')
  const { worker } = await import('../recipes/browser/own-worker.ts')
  const update = { method: 'PATCH', headers: { ...KEY, 'content-type': 'application/json' }, body: '{"quantity":77}' }
  expect((await fetch('/v1/inventory/1', update)).status).toBe(200)
  worker.stop()

  const mock = createMock()
  mock.importState(localStorage.getItem('pets') ?? '')
  expect(mock.inventory.get(1)?.quantity).toBe(77)
})
