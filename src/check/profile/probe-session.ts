import { WRONG_KEY } from '../conformance/bad-keys.ts'
import type { CheckSession } from '../conformance/check-session.ts'
import type { CheckRequest, Exchange } from '../conformance/exchange.ts'

/** Why a probe cannot tell how the service decides, as a clause. */
export class Undecided extends Error {
  override readonly name = 'Undecided'
}

type Update = Omit<CheckRequest, 'operation'>

/** The requests of the probes. */
export interface ProbeSession {
  readonly apiKey: string
  /** The pet that is updated; the probes of updates run only with one. */
  readonly petId: string
  /** An id that no pet has. */
  readonly absentPetId: string
  list(authorization: string | null): Promise<Exchange>
  update(request: Update): Promise<Exchange>
  /** A quantity that the service accepts. */
  findQuantity(): Promise<number>
}

export const WRONG_BEARER: string = `Bearer ${WRONG_KEY}`
export const BROKEN_BODY = '{"quantity":'

/** What the probes of one run have found out for each other. */
export interface ProbeMemory {
  quantity?: number
}

/** Creates the requests of the probes over the session of a check, which restores the stock at its end. */
export function createProbeSession(session: CheckSession, memory: ProbeMemory): ProbeSession {
  const { pet, apiKey, absentPetId } = session
  const petId = pet?.petId ?? ''

  function update(request: Update): Promise<Exchange> {
    return session.send({ operation: 'updateInventory', petId, ...request })
  }

  async function findQuantity(): Promise<number> {
    const candidates = [Number(pet?.quantity), 1, 0, 5, 10, 100, 1000].filter(Number.isSafeInteger)
    for (const candidate of candidates) {
      const { status } = await update({ body: toBody(candidate) })
      if (status === 200) {
        memory.quantity = candidate
        return candidate
      }
    }
    throw new Undecided(`no update was accepted, tried ${candidates.join(', ')}`)
  }

  return {
    apiKey,
    petId,
    absentPetId,
    list: (authorization) => session.send({ operation: 'listInventory', authorization }),
    update,
    findQuantity: async () => memory.quantity ?? (await findQuantity()),
  }
}

/** The body of an update. */
export function toBody(quantity: number): string {
  return JSON.stringify({ quantity })
}

/** @throws {Undecided} if the response has another status than these. */
export function toOneOf<const Status extends number>({ status }: Exchange, statuses: readonly Status[]): Status {
  const found = statuses.find((each) => each === status)
  if (found !== undefined) return found
  throw new Undecided(`the status is ${status} and should be one of ${statuses.join(', ')}`)
}
