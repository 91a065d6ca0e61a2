import { expect, test } from 'vitest'

test('the page’s requests are answered by its service worker', async () => {
  const { worker } = await import('../recipes/browser/start-worker.ts')
  try {
    const response = await fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
    expect(await response.json()).toHaveLength(10)
  } finally {
    await worker.stop()
  }
})
