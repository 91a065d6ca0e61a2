/** A client of the inventory service, as a consumer might write it. */
export function createClient({ url, key, fetch = globalThis.fetch }) {
  async function send(path, init = {}) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { ...init, headers })
    if (response.ok) return response.json()
    throw Object.assign(new Error(`The service answered ${response.status}`), { status: response.status })
  }

  return {
    list: () => send('/inventory'),
    setQuantity: (petId, quantity) =>
      send(`/inventory/${petId}`, { method: 'PATCH', body: JSON.stringify({ quantity }) }),
  }
}
