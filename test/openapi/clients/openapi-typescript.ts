import createFetchClient from 'openapi-fetch'
import type { CreateClient } from './client.ts'
import type { paths } from './generated/openapi-typescript.ts'

export const createClient: CreateClient = (baseUrl) => {
  const client = createFetchClient<paths>({ baseUrl })
  const authorize = (key: string) => ({ Authorization: `Bearer ${key}` })
  return {
    list: async (key) => {
      const { data, error, response } = await client.GET('/inventory', { headers: authorize(key) })
      return data === undefined ? { status: response.status, error } : { status: response.status, data }
    },
    update: async (key, { petId, quantity }) => {
      const { data, error, response } = await client.PATCH('/inventory/{petId}', {
        headers: authorize(key),
        params: { path: { petId } },
        body: { quantity },
      })
      return data === undefined ? { status: response.status, error } : { status: response.status, data }
    },
  }
}
