import type { CreateClient } from './client.ts'
import { listInventory, updateInventory } from './generated/orval.ts'

export const createClient: CreateClient = (baseUrl) => {
  process.env['PETSTORE_URL'] = baseUrl
  const authorize = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })
  return {
    list: async (key) => {
      const { status, data } = await listInventory(authorize(key))
      return status === 200 ? { status, data } : { status, error: data }
    },
    update: async (key, { petId, quantity }) => {
      const { status, data } = await updateInventory(petId, { quantity }, authorize(key))
      return status === 200 ? { status, data } : { status, error: data }
    },
  }
}
