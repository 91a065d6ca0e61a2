import { expect, test } from 'vitest'

test('the page’s requests are answered inside the page', async () => {
  const { worker } = await import('../recipes/browser/page-mode.ts')
  try {
    const headers = { authorization: 'Bearer demo-key' }
    const response = await fetch('https://api.petstore.example/v1/inventory', { headers })
    expect(await response.json()).toHaveLength(10)
  } finally {
    await worker.stop()
  }
})
