import { showValue } from '../http/quote.ts'
import type { Profile } from '../inventory/profile.ts'
import { createMock } from '../service/create-mock.ts'
import type { Fixture } from '../store/fixture.ts'
import { ask, type CheckRequest, type CheckResponse } from './service.ts'
import type { ListedPet } from './stock.ts'

/** Sends a request to a mock with the same pets. */
export type Twin = (request: CheckRequest) => Promise<CheckResponse>

/** No case may send this key by chance: a key that is cut short could be `demo-key`. */
const MOCK_KEY = 'petstore-check-mock-key'

/** @throws {FixtureError} if the mock cannot hold the stock of the service. */
export function createTwin(pets: readonly ListedPet[], profile: Profile): Twin {
  const mock = createMock({ profile, apiKeys: [MOCK_KEY] })
  mock.load({ inventory: pets.map((pet) => ({ ...pet, quantity: Number(pet.quantity) })) } as Fixture)
  const service = { url: 'http://mock/v1', apiKey: MOCK_KEY, fetch: mock.fetch }
  return (request) => ask(service, request)
}

/** Whether the twin decides all requests as the service did, or both as the case leaves it open. */
export async function decidesAlike(
  twin: Twin,
  { responses, open }: { responses: readonly CheckResponse[]; open: readonly number[] },
): Promise<boolean> {
  for (const theirs of responses) {
    const ours = await twin(theirs.request)
    const areOpen = open.includes(ours.status) && open.includes(theirs.status)
    if (!areOpen && toDecision(ours) !== toDecision(theirs)) return false
  }
  return responses.length > 0
}

/**
 * What is compared of a response: the status, whether there is a list or a pet, the specified properties of an error except
 * its message, and whether a 401 names Bearer. The stock is compared elsewhere.
 */
function toDecision({ status, headers, json }: CheckResponse): string {
  const { code, status: repeated } = Object(json) as { readonly code?: unknown; readonly status?: unknown }
  const error = showValue([code, repeated], Number.POSITIVE_INFINITY)
  const namesBearer = status === 401 && /^bearer\b/i.test(headers.get('www-authenticate') ?? '')
  const body = status < 400 && json !== undefined ? Array.isArray(json) : error
  return `${status} ${typeof json} ${body} ${namesBearer}`
}
