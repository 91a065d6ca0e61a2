import { JsonNumber, parseExactJson } from '../../http/exact-json.ts'
import type { CheckSession } from './check-session.ts'
import { type CaseDefinition, type CaseOutcome, type ConformanceCase, findStatusDeviation } from './conformance-case.ts'
import type { CheckRequest, Exchange } from './exchange.ts'
import { isInteger, type ListedPet, parsePet } from './listed-pet.ts'

/** Why no update is sent. */
export const READ_ONLY = 'updates are only sent with --write'

/** Says that `--pet` is why there is no such pet, if it leaves out pets. */
export function explain(reason: string, { changeable, pets }: CheckSession): string {
  return changeable.size > 0 && changeable.size < pets.length ? `${reason} among those of --pet` : reason
}

/** The pet that a case updates, or why there is none. */
export type PetChoice = (session: CheckSession) => ListedPet | string | undefined

const FIRST_PET: PetChoice = ({ pet, petlessReason }) => pet ?? petlessReason

interface UpdateDefinition extends Omit<CaseDefinition, 'operation' | 'rule'> {
  /**
   * `null`: the case needs no pet.
   * @default the first pet that may be updated
   */
  readonly on?: PetChoice | null
}

/** A new quantity for each update, which exposes a service that applies updates it rejects. */
export function createBody(session: CheckSession): string {
  return JSON.stringify({ quantity: session.nextQuantity() })
}

/** A case with one update, which checks the list afterwards. */
export function defineUpdate({ request, on = FIRST_PET, obstacle, ...definition }: UpdateDefinition): ConformanceCase {
  const operation = 'updateInventory'
  return {
    operation,
    source: 'specification',
    ...definition,
    findObstacle(session) {
      if (!session.mayWrite) return READ_ONLY
      const choice = on?.(session)
      return typeof choice === 'string' ? explain(choice, session) : obstacle?.(session)
    },
    run(session) {
      const pet = on?.(session) as ListedPet | undefined
      const sent = { ...(pet && { petId: pet.petId }), ...request(session) }
      return update(session, { sent, expected: definition.expected })
    },
  }
}

/** Sends an update and checks the response, and the list afterwards. */
export async function update(
  session: CheckSession,
  { sent, expected }: { sent: Omit<CheckRequest, 'operation'>; expected: number },
): Promise<CaseOutcome> {
  const response = await session.send({ operation: 'updateInventory', ...sent })
  return {
    status: response.status,
    deviation: findStatusDeviation(response, expected),
    faults: await findFaults(response, { sent, session }),
  }
}

/** The checks after every update, accepted or rejected. */
async function findFaults(
  response: Exchange,
  { sent, session }: { sent: Omit<CheckRequest, 'operation'>; session: CheckSession },
): Promise<string[]> {
  const { petId = '', body } = sent
  const quantity = toQuantity(body)
  const isAccepted = response.status === 200
  const echo = isAccepted ? findEchoFault(response, { pet: session.stock.get(petId), quantity }) : undefined
  if (isAccepted && quantity !== undefined) session.stock.update(petId, quantity)
  const ignored = isAccepted && quantity === undefined ? petId : undefined
  const difference = session.stock.compare(await session.list(), { updated: [petId], quantity, ignored })
  noteSideEffects(session)
  if (isAccepted && quantity !== undefined) noteAlias(session, { petId, quantity })
  const after = isAccepted ? difference : difference && `After the ${response.status}: ${difference}`
  return [echo, after].filter((fault) => fault !== undefined)
}

/** Notes which other pets have to be restored, as far as the check may update them. */
export function noteSideEffects(session: CheckSession): void {
  for (const petId of session.stock.sideEffects) if (session.changeable.has(petId)) session.touch(petId)
}

/** An id that is not in the list updated a pet that is: services that round ids do that. */
function noteAlias(session: CheckSession, { petId, quantity }: { petId: string; quantity: string }): void {
  if (session.pets.some((pet) => pet.petId === petId)) return
  const updated = session.stock.find(quantity)
  if (updated !== undefined) session.aliases.set(updated.petId, petId)
}

/** The response to an update is the pet with the new quantity and everything else unchanged. */
function findEchoFault(
  { json }: Exchange,
  { pet, quantity }: { pet: ListedPet | undefined; quantity: string | undefined },
): string | undefined {
  if (pet === undefined) return undefined
  const echoed = parsePet(json)
  if (echoed === undefined) return 'The response is no entry of the inventory'
  if (echoed.petId !== pet.petId) return `The response is pet ${echoed.petId} and should be pet ${pet.petId}`
  if (quantity !== undefined && echoed.quantity !== quantity)
    return `The response says quantity ${echoed.quantity} and should say ${quantity}`
  if (echoed.status === pet.status) return undefined
  return `The response says ${echoed.status} and the pet was ${pet.status}: an update sets the quantity alone`
}

/** The integer in a body, in decimal form; `5.0` and `5e0` are 5. `1e400` stays as it is, which no echo repeats. */
function toQuantity(body: string | undefined): string | undefined {
  try {
    const { quantity } = parseExactJson(body ?? '') as { readonly quantity?: unknown }
    if (quantity instanceof JsonNumber) return quantity.source
    return isInteger(quantity) ? String(quantity) : undefined
  } catch {
    return undefined
  }
}
