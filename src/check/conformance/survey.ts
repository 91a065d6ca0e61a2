import { parseExactJson } from '../../http/exact-json.ts'
import { MockError } from '../../http/mock-error.ts'
import { ask, type CheckedService, NoAnswer, type RawAnswer } from './ask.ts'
import { type ListedPet, parsePets } from './listed-pet.ts'

/** What there is before the first case. */
export interface Survey {
  readonly pets: readonly ListedPet[]
  /** The pet that updates are tried on; `undefined` where there is none. */
  readonly pet: ListedPet | undefined
  /** Why there is no pet. */
  readonly petlessReason: string
  /** An id that no pet has. */
  readonly absentPetId: string
}

/**
 * Looks at a service before it is checked.
 * @throws {MockError} `CHECK_FAILED` where it does not answer.
 */
export async function surveyService(service: CheckedService): Promise<Survey> {
  const headers = { authorization: `Bearer ${service.apiKey}` }
  const answer = await ask(service, { method: 'GET', path: '/inventory', headers }).catch((error: unknown) =>
    refuse(service, error),
  )
  const pets = parseList(answer)
  return {
    pets: pets ?? [],
    pet: pets?.[0],
    petlessReason:
      pets === undefined ? `the inventory could not be read (${answer.status})` : 'there is no pet to update',
    absentPetId: findAbsentPetId(pets ?? []),
  }
}

function refuse({ url }: CheckedService, cause: unknown): never {
  if (!(cause instanceof NoAnswer)) throw cause
  throw new MockError(
    'CHECK_FAILED',
    `Failed to check ${url}: ${cause.message}. See that the service runs, and that this is its address.`,
    { cause },
  )
}

function parseList({ status, body }: RawAnswer): readonly ListedPet[] | undefined {
  if (status !== 200) return undefined
  try {
    return parsePets(parseExactJson(new TextDecoder().decode(body)))
  } catch {
    return undefined
  }
}

/** An int32, which is a petId in any implementation. */
function findAbsentPetId(pets: readonly ListedPet[]): string {
  const taken = new Set(pets.map(({ petId }) => petId))
  let id = 999_999_937
  while (taken.has(String(id))) id -= 1
  return String(id)
}
