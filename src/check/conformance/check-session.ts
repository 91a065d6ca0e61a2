import type { OperationId } from '../../operations/define-operation.ts'
import { ask, NoAnswer } from './ask.ts'
import { choosePets, listChosen } from './choose-pets.ts'
import { type CheckRequest, type CheckTarget, type Exchange, exchange, parseBody } from './exchange.ts'
import type { ListedPet } from './listed-pet.ts'
import { createQuantitySource, FIRST_QUANTITY } from './quantities.ts'
import { Stock } from './stock.ts'
import type { Survey } from './survey.ts'

/** The state that the cases of one run share, and how they call the service. */
export interface CheckSession extends Survey {
  readonly apiKey: string
  /** Whether updates may be sent. */
  readonly mayWrite: boolean
  /** The expected list. */
  readonly stock: Stock
  /** The pets that were updated, or changed when another one was updated. */
  readonly touched: Set<string>
  /** Ids that are not in the list, but updated a pet of it: the other pet's id by the id. */
  readonly aliases: Map<string, string>
  /** The pets with an update that got no complete response, so that the service may still apply it. */
  readonly unconfirmed: Set<string>
  send(request: CheckRequest): Promise<Exchange>
  /** The current list, without judging it; `undefined` if it is not JSON. */
  list(): Promise<unknown>
  /** Notes that the stock of a pet may have changed, if the pet was in the list before the check. */
  touch(petId: string): void
  /** Has the cases update none but these pets, and returns which of them. */
  choose(pets: readonly ListedPet[]): readonly ListedPet[]
  /** A quantity within `useQuantities`. No pet had it before the check, if there is one that no pet had. */
  nextQuantity(): number
  /** Sets the lowest and the highest quantity to send. @default from 613 on */
  useQuantities(lowest: number, highest: number): void
}

/** What a session may do. */
interface SessionOptions {
  readonly survey: Survey
  readonly mayWrite: boolean
  /**
   * Whether to call an operation again that hung.
   * @default false
   */
  readonly isPersistent?: boolean
}

export function createSession(
  target: CheckTarget,
  { survey, mayWrite, isPersistent = false }: SessionOptions,
): CheckSession {
  const hanging = new Set<OperationId>()
  const touched = new Set<string>()
  const listed = new Set(survey.pets.map(({ petId }) => petId))
  const unconfirmed = new Set<string>()
  const touch = (petId: string): void => {
    if (listed.has(petId)) touched.add(petId)
  }
  const createQuantities = createQuantitySource(survey.pets)
  let nextQuantity = createQuantities(FIRST_QUANTITY, Number.MAX_SAFE_INTEGER)
  const session: CheckSession = {
    ...survey,
    apiKey: target.apiKey,
    mayWrite,
    stock: new Stock(survey.pets),
    touched,
    aliases: new Map(),
    unconfirmed,
    // Otherwise every case of a hanging operation would wait for the time limit.
    async send(request) {
      if (hanging.has(request.operation)) throw new NoAnswer('the operation hung before and is not asked again')
      if (request.operation === 'updateInventory') touch(request.petId ?? '')
      try {
        return await exchange(target, request)
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
        if (error.isTimeout && !isPersistent) hanging.add(request.operation)
        const { petId } = request
        if (petId !== undefined && touched.has(petId) && !error.hasHead) unconfirmed.add(petId)
        throw error
      }
    },
    async list() {
      const headers = { authorization: `Bearer ${target.apiKey}` }
      return parseBody((await ask(target, { method: 'GET', path: '/inventory', headers })).body)
    },
    touch,
    choose(pets) {
      const petlessReason = pets.length === 0 ? 'the service accepts no quantity that could be restored' : undefined
      const chosen = choosePets(pets, listed)
      Object.assign(session, chosen, petlessReason && { petlessReason })
      return listChosen(chosen)
    },
    nextQuantity: () => nextQuantity(),
    useQuantities(lowest, highest) {
      nextQuantity = createQuantities(lowest, highest)
    },
  }
  return session
}
