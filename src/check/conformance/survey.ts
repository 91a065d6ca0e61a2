import { parseExactJson } from '../../http/exact-json.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { MockError } from '../../http/mock-error.ts'
import { ask, type CheckedService, NoAnswer, type RawAnswer } from './ask.ts'
import { type ChosenPets, choosePets } from './choose-pets.ts'
import { type ListedPet, parsePets } from './listed-pet.ts'

/** The state before the first case, and which pets may be updated. */
export interface Survey extends ChosenPets {
  readonly pets: readonly ListedPet[]
  /** The ids of all pets that may be updated. */
  readonly changeable: ReadonlySet<string>
  /** Why no pet can be updated. */
  readonly petlessReason: string
  /** An id that no pet has. */
  readonly absentPetId: string
  /** An id that no pet has, and that needs more than 32 bits. */
  readonly absentLongId: string
}

/**
 * Surveys a service before it is checked.
 * @param petIds The ids of pets that may be updated, in decimal form. Any pet if omitted.
 * @throws {MockError} `CHECK_FAILED` if the service cannot be reached, rejects the key, or has no inventory at this URL;
 * `INVALID_OPTION` for an unknown pet.
 */
export async function surveyService(service: CheckedService, petIds?: readonly string[]): Promise<Survey> {
  const headers = { authorization: `Bearer ${service.apiKey}` }
  const answer = await ask(service, { method: 'GET', path: '/inventory', headers }).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error
    throw toError(service, `${error.message}. Check that the service is running, and that the URL is right.`, error)
  })
  const problem = findProblem(answer, service)
  if (problem !== undefined) throw toError(service, problem)
  const pets = parseList(answer)
  const known = new Set(pets?.map(({ petId }) => petId))
  const unknown = petIds?.find((petId) => !known.has(petId))
  if (unknown !== undefined) {
    throw new MockError('INVALID_OPTION', `Failed to check ${service.url}: it has no pet ${unknown} to update.`)
  }
  const changeable = (pets ?? []).filter(({ petId }) => petIds?.includes(petId) ?? true)
  return {
    pets: pets ?? [],
    ...choosePets(changeable, known),
    changeable: new Set(changeable.map(({ petId }) => petId)),
    petlessReason: pets === undefined ? 'the list could not be read' : 'there is no pet to update',
    absentPetId: findAbsentId(known),
    absentLongId: findAbsentLongId(known, changeable[0]),
  }
}

function toError({ url }: CheckedService, reason: string, cause?: unknown): MockError {
  return new MockError('CHECK_FAILED', `Failed to check ${url}: ${reason}`, { cause })
}

/** Problems that make every case pointless, as one sentence instead of a report full of failures. */
function findProblem({ status, headers }: RawAnswer, { url }: CheckedService): string | undefined {
  const where = 'GET /inventory'
  const contentType = headers.get('content-type') ?? ''
  if (status === 401 || status === 403) return `${where} rejects the key (${status}). Pass a valid one with --api-key.`
  if ((status === 404 || status === 405) && url.endsWith('/inventory'))
    return `there is no inventory at ${url}/inventory (${status}). Pass the base path alone: ${url.slice(0, -'/inventory'.length)}`
  if (status === 404) return `${where} is 404. Is the base path missing, as in http://127.0.0.1:4100/v1?`
  if (/^text\/html\b/i.test(contentType))
    return `${where} returns a page (${contentType}) instead of JSON. Is it a website?`
  if (status < 300 || status >= 400) return undefined
  return `${where} redirects to ${hideInAddress(headers.get('location') ?? 'nowhere')}. Pass that URL instead.`
}

function parseList({ status, body }: RawAnswer): readonly ListedPet[] | undefined {
  if (status !== 200) return undefined
  try {
    return parsePets(parseExactJson(new TextDecoder().decode(body)))
  } catch {
    return undefined
  }
}

/** An int32, which any implementation accepts as a petId. */
function findAbsentId(taken: ReadonlySet<string>): string {
  let id = 999_999_937
  while (taken.has(String(id))) id -= 1
  return String(id)
}

/** An id beyond 32 bits, which is that of a pet if it is cut to 32 bits. */
function findAbsentLongId(taken: ReadonlySet<string>, pet: ListedPet | undefined): string {
  let id = BigInt.asIntN(32, BigInt(pet?.petId ?? 0)) + 2n ** 32n
  while (taken.has(String(id))) id += 2n ** 32n
  return String(id)
}
