import { type CheckRequest, type CheckTarget, type Exchange, exchange } from './exchange.ts'
import type { Survey } from './survey.ts'

/** What the cases of one run know of the service, and how they ask it. */
export interface CheckSession extends Survey {
  readonly apiKey: string
  send(request: CheckRequest): Promise<Exchange>
  /** A quantity that the pet has not had. */
  nextQuantity(): number
}

export function createSession(target: CheckTarget, survey: Survey): CheckSession {
  let quantity = 0
  return {
    ...survey,
    apiKey: target.apiKey,
    send: (request) => exchange(target, request),
    nextQuantity() {
      quantity += 1
      if (String(quantity) === survey.pet?.quantity) quantity += 1
      return quantity
    },
  }
}
