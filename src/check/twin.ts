import { showValue } from '../http/quote.ts'
import type { Profile } from '../inventory/profile.ts'
import { createMock } from '../service/create-mock.ts'
import type { Fixture } from '../store/fixture.ts'
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

/** @throws {FixtureError} if the mock cannot hold the stock of the service. */
export function createTwin(pets: readonly ListedPet[], profile: Profile): Twin {
  const mock = createMock({ profile, apiKeys: [MOCK_KEY] })
  mock.load({ inventory: pets.map((pet) => ({ ...pet, quantity: Number(pet.quantity) })) } as Fixture)
  const service = { url: 'http://mock/v1', apiKey: MOCK_KEY, fetch: mock.fetch }
  return (request) => ask(service, request)
}

/**
 * What is compared of a response: the status, whether there is a list or a pet, the specified properties of an error except
 * its message, and whether a 401 names Bearer. The stock is compared elsewhere.
 */
export function toDecision({ status, headers, json }: CheckResponse): string {
  if (json === undefined) return `${status} no JSON`
  if (status < 400) return `${status} ${Array.isArray(json) ? 'list' : 'pet'}`
  const { code, status: repeated } = (json ?? {}) as { readonly code?: unknown; readonly status?: unknown }
  const isNamed = status !== 401 || /^bearer\b/i.test(headers.get('www-authenticate') ?? '')
  // In full, because a credential must be hidden before a text is cut.
  const error = showValue({ code, status: repeated }, Number.POSITIVE_INFINITY)
  return `${status} ${error}${isNamed ? '' : ', without WWW-Authenticate: Bearer'}`
}
