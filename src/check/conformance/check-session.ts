import type { OperationId } from '../../operations/define-operation.ts'
import { ask, NoAnswer } from './ask.ts'
import { type CheckRequest, type CheckTarget, type Exchange, exchange, parseBody } from './exchange.ts'
import { Stock } from './stock.ts'
import type { Survey } from './survey.ts'

/** What the cases of one run know of the service, and how they ask it. */
export interface CheckSession extends Survey {
  readonly apiKey: string
  /** Whether updates may be sent. */
  readonly mayWrite: boolean
  /** What the list should show. */
  readonly stock: Stock
  /** The pets that updates were sent for. */
  readonly touched: Set<string>
  send(request: CheckRequest): Promise<Exchange>
  /** The list as it is now, not judged: `undefined` where it is not JSON. */
  list(): Promise<unknown>
  /** A quantity that no pet has. */
  nextQuantity(): number
}

/** Within the ranges that services have, and none that a test would choose. */
const FIRST_QUANTITY = 613

export function createSession(
  target: CheckTarget,
  { survey, mayWrite }: { survey: Survey; mayWrite: boolean },
): CheckSession {
  const hanging = new Set<OperationId>()
  const taken = new Set(survey.pets.map(({ quantity }) => quantity))
  let quantity = FIRST_QUANTITY - 1
  return {
    ...survey,
    apiKey: target.apiKey,
    mayWrite,
    stock: new Stock(survey.pets),
    touched: new Set(),
    // An operation that hangs would make every one of its cases wait.
    async send(request) {
      if (hanging.has(request.operation)) throw new NoAnswer('the operation hung before and is not asked again')
      try {
        return await exchange(target, request)
      } catch (error) {
        if (error instanceof NoAnswer && error.isTimeout) hanging.add(request.operation)
        throw error
      }
    },
    async list() {
      const headers = { authorization: `Bearer ${target.apiKey}` }
      return parseBody((await ask(target, { method: 'GET', path: '/inventory', headers })).body)
    },
    nextQuantity() {
      do quantity += 1
      while (taken.has(String(quantity)))
      return quantity
    },
  }
}
