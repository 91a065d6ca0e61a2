import { expect, test } from 'vitest'

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
