import type { Mock } from '../src/index.ts'

export const AUTHORIZED = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }

export function list(mock: Pick<Mock, 'fetch'>, apiKey = 'demo-key'): Promise<Response> {
  return mock.fetch('/v1/inventory', { headers: { authorization: `Bearer ${apiKey}` } })
}

export function update(
  mock: Pick<Mock, 'fetch'>,
  petId: number | string,
  quantity: number,
  { apiKey = 'demo-key', ...init }: RequestInit & { readonly apiKey?: string } = {},
): Promise<Response> {
  const headers = { ...AUTHORIZED, authorization: `Bearer ${apiKey}` }
  return mock.fetch(`/v1/inventory/${petId}`, { method: 'PATCH', headers, body: JSON.stringify({ quantity }), ...init })
}
