import { type Addresses, RequestError } from './control.ts'

/** How long the console waits for the service, in milliseconds. */
const SERVICE_PATIENCE_MS = 10_000

/** A request to the service. The API key is added to it. */
export interface ServiceRequest {
  readonly method: string
  /** As the mock receives it: `/v1/inventory/7`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** The service itself, called with an API key like by any client. */
export async function sendToService(
  { method, path, headers, body, signal }: ServiceRequest,
  { addresses, apiKey }: { addresses: Addresses; apiKey: string },
): Promise<Response> {
  if (!/^[!-~]+$/.test(apiKey)) {
    throw new RequestError('The API key is empty or contains characters that a header cannot contain')
  }
  const ends = [AbortSignal.timeout(SERVICE_PATIENCE_MS), ...(signal === undefined ? [] : [signal])]
  return fetch(addresses.toService(path), {
    method,
    headers: { ...headers, authorization: `Bearer ${apiKey}` },
    ...(body !== undefined && body !== '' && { body }),
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.any(ends),
  })
}
