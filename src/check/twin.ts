import { isJsonObject } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import type { Profile } from '../inventory/profile.ts'
import { createMock } from '../service/create-mock.ts'
import { type Fixture, FixtureError } from '../store/fixture.ts'
import { ask, type CheckRequest, type CheckResponse } from './service.ts'
import type { ListedPet } from './stock.ts'

/** A mock with the same pets, which decides every request of a check as well. */
export type Twin = (request: CheckRequest) => Promise<CheckResponse>

/** A response of the service, and that of the twin to the same request, if there is one. */
export interface MirroredResponse extends CheckResponse {
  readonly ours: CheckResponse | undefined
}

/** No case may send this key by chance: a key that is cut short could be `demo-key`. */
const MOCK_KEY = 'petstore-check-mock-key'

/** @throws {MockError} `CHECK_FAILED` if the mock cannot hold the stock of the service. */
export function createTwin(
  pets: readonly ListedPet[],
  { profile, serviceUrl }: { profile: Profile; serviceUrl: string },
): Twin {
  const mock = createMock({ profile, apiKeys: [MOCK_KEY] })
  const inventory = pets.map((pet) => ({ ...pet, quantity: Number(pet.quantity) }))
  try {
    mock.load({ inventory } as Fixture)
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    const sentence = `Failed to compare ${serviceUrl} with the mock, which cannot hold its stock: ${error.problems[0]}`
    throw new MockError('CHECK_FAILED', sentence)
  }
  const service = { url: 'http://mock/v1', apiKey: MOCK_KEY, fetch: mock.fetch }
  return async (request) => (await ask(service, request)) as CheckResponse
}

/**
 * What is compared of a response: the status, whether there is a list or a pet, the code of an error, and whether a 401
 * names Bearer. The stock is compared elsewhere.
 */
export function toDecision(response: CheckResponse): string {
  const { status, json } = response
  return status < 400 && json !== undefined
    ? `${status} ${Array.isArray(json) ? 'list' : 'pet'}`
    : showResponse(response)
}

/** What the specification defines. The message of an error is for people. */
export function showResponse({ status, headers, json }: CheckResponse): string {
  if (Array.isArray(json)) return `${status} [${json.length} pets]`
  const names = status < 400 ? ['petId', 'quantity', 'status'] : ['code', 'status']
  const body = isJsonObject(json)
    ? Object.fromEntries(names.flatMap((name) => (name in json ? [[name, json[name]]] : [])))
    : json
  const challenge = status === 401 ? toChallenge(headers.get('www-authenticate')) : ''
  // In full, because a credential must be hidden before a text is cut.
  return `${status} ${json === undefined ? 'no JSON' : showValue(body, Number.POSITIVE_INFINITY)}${challenge}`
}

function toChallenge(value: string | null): string {
  if (value === null) return ', without WWW-Authenticate'
  return /^bearer\b/i.test(value) ? '' : ', with a WWW-Authenticate other than Bearer'
}
