import { CONTROL_ROUTES } from '../contract/control-routes.gen.ts'
import type {
  ControlBody,
  ControlJson,
  ControlParams,
  ControlQuery,
  ControlRouteId,
  ControlSchemas,
} from '../contract/control-types.ts'
import { isJsonObject, parseExactJson } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import { toFetchReason } from '../http/to-fetch-reason.ts'
import { UnwritableError, type WriteOptions, writeExactJson } from '../http/write-exact-json.ts'
import { explainTls } from './explain-tls.ts'

/** The address of the control API, and how to send requests to it. */
export interface ControlOptions {
  readonly url: URL
  readonly sandbox: string
  readonly controlToken: string | undefined
  /** The key of the sandbox, which the mock is asked to check. */
  readonly apiKey: string
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>
}

/** Sends requests to the control API. Routes are named by their operationId in `spec/control.openapi.yaml`. */
export interface Control {
  /**
   * Sends a request and returns the JSON of the response.
   * @throws {MockError} `CONTROL_UNREACHABLE`, `CONTROL_REFUSED`
   */
  ask<Id extends ControlRouteId>(id: Id, ...parts: PartsOf<Id>): Promise<ControlJson<Id>>
  /** Like `ask`, but returns `undefined` if the resource does not exist, and `true` if the response has no content. */
  find<Id extends ControlRouteId>(id: Id, ...parts: PartsOf<Id>): Promise<FoundOf<Id> | undefined>
}

type FoundOf<Id extends ControlRouteId> = undefined extends ControlJson<Id> ? true : ControlJson<Id>
type PartsOf<Id extends ControlRouteId> = object extends AskParts<Id> ? [parts?: AskParts<Id>] : [parts: AskParts<Id>]

/** The parameters and the body of a request. */
type AskParts<Id extends ControlRouteId> = {
  readonly query?: Omit<ControlQuery<Id>, 'sandbox'>
} & (keyof ControlParams<Id> extends never ? object : { readonly params: ControlParams<Id> }) &
  ([ControlBody<Id>] extends [never] ? object : { readonly body: ControlBody<Id> })

interface AnyParts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export function createControl(options: ControlOptions): Control {
  /** Sent until a request succeeds: a test may revoke the key, and still use the controls. */
  let apiKey: string | undefined = options.apiKey

  function take(response: ControlResponse): never {
    const json = read(response)
    apiKey = undefined
    return json
  }

  return {
    ask: async (id, parts?: AnyParts) => take(await send(id, { ...options, ...parts, apiKey })),
    async find(id, parts?: AnyParts) {
      const response = await send(id, { ...options, ...parts, apiKey })
      return isMissing(response) ? undefined : ((take(response) ?? true) as never)
    },
  }
}

interface ControlResponse {
  readonly id: ControlRouteId
  readonly origin: string
  readonly route: string
  readonly status: number
  readonly text: string
}

type SendOptions = Omit<ControlOptions, 'apiKey'> & AnyParts & { readonly apiKey: string | undefined }

async function send(
  id: ControlRouteId,
  { url, sandbox, controlToken, apiKey, fetch, params = {}, query = {}, body }: SendOptions,
): Promise<ControlResponse> {
  const { method, path, query: known } = CONTROL_ROUTES[id]
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const own = (known as readonly string[]).includes('sandbox') ? { sandbox } : {}
  const target = new URL(`/_mock${filled}?${new URLSearchParams({ ...own, ...query })}`, url)
  const headers = {
    ...(controlToken !== undefined && { 'x-mock-control-token': controlToken }),
    ...(apiKey !== undefined && { 'x-mock-api-key': apiKey }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const route = `${method} ${target.pathname}`
  const init = { method, headers, ...(body !== undefined && { body: toJson(body, { route }) }) }
  try {
    const response = await fetch(target, init)
    return { id, origin: url.origin, route, status: response.status, text: await response.text() }
  } catch (cause) {
    throw new MockError(
      'CONTROL_UNREACHABLE',
      `Failed to reach the mock at ${url.origin}: ${explainTls(cause) ?? toFetchReason(cause)}. Is it running there?`,
      { cause },
    )
  }
}

function read({ id, origin, route, status, text }: ControlResponse): never {
  if (status >= 300) {
    const message = readErrorObject(text).message ?? text.slice(0, 200)
    throw new MockError('CONTROL_REFUSED', `Failed to ${route}: the mock answered ${status}: ${message}`)
  }
  const mark = MARKS[id]
  const json = text === '' ? undefined : parseJson(text)
  if (mark === undefined ? text === '' : Object.hasOwn(Object(json), mark)) return json as never
  throw new MockError(
    'CONTROL_UNREACHABLE',
    `Failed to reach the mock at ${origin}: the response to ${route} does not come from a mock: ${status} ${showValue(text, 80)}. Is another server at this address?`,
  )
}

type MarkOf<Id extends ControlRouteId> = ControlJson<Id> extends readonly unknown[] ? 'length' : keyof ControlJson<Id>

/** A property of each JSON response, by which it is recognized as a mock's. Other responses have no content. */
const MARKS: { readonly [Id in ControlRouteId]?: MarkOf<Id> } = {
  getHealth: 'specificationVersion',
  getState: 'inventory',
  replaceState: 'inventory',
  reset: 'inventory',
  loadFixture: 'inventory',
  findPets: 'pets',
  getPetState: 'petId',
  putPet: 'petId',
  getJournal: 'entries',
  listFaults: 'length',
  addFault: 'used',
  setDelay: 'delay',
  getClock: 'pending',
  changeClock: 'pending',
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

const MISSING: readonly unknown[] = ['unknown_pet', 'unknown_fault', 'unknown_sandbox'] satisfies ControlErrorCode[]
type ControlErrorCode = ControlSchemas['Error']['code']

/**
 * Whether the resource is missing. Any other 404 means that the control API is off or that the server is not a mock.
 */
function isMissing({ status, text }: ControlResponse): boolean {
  return status === 404 && MISSING.includes(readErrorObject(text).code)
}

function readErrorObject(text: string): { readonly code?: string; readonly message?: string } {
  try {
    const error: unknown = JSON.parse(text)
    const { code, message } = isJsonObject(error) ? error : {}
    return { ...(typeof code === 'string' && { code }), ...(typeof message === 'string' && { message }) }
  } catch {
    return {}
  }
}

/**
 * Serializes without changing the value.
 * @throws {MockError} `INVALID_OPTION` naming a value that JSON cannot represent.
 */
export function toJson(body: unknown, { route, ...options }: WriteOptions & { readonly route: string }): string {
  try {
    return writeExactJson(body, options)
  } catch (cause) {
    if (!(cause instanceof UnwritableError)) throw cause
    throw new MockError('INVALID_OPTION', `Failed to ${route}: ${cause.message}.`, { cause })
  }
}
