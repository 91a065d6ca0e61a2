import type { CreateClient } from './client.ts'
import { listInventory, updateInventory } from './generated/hey-api'
import { createClient as createFetchClient } from './generated/hey-api/client'

export const createClient: CreateClient = (baseUrl) => ({
  list: async (key) => {
    const client = createFetchClient({ baseUrl, auth: key })
    const { data, error, response } = await listInventory({ client })
    // Without a response, the request failed in the network.
    const status = response?.status ?? 0
    return data === undefined ? { status, error } : { status, data }
  },
  update: async (key, { petId, quantity }) => {
    const client = createFetchClient({ baseUrl, auth: key })
    const { data, error, response } = await updateInventory({ client, path: { petId }, body: { quantity } })
    const status = response?.status ?? 0
    return data === undefined ? { status, error } : { status, data }
  },
})
