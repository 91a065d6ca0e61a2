import { type Answer, createJsonAnswer } from '../http/wire-response.ts'
import type { OperationHandler } from './operation-handler.ts'

/** `GET /inventory`: every pet's stock. */
export const listInventory: OperationHandler = ({ state }) => {
  const preparing = state.prepare()
  const answer = (): Answer => createJsonAnswer(200, state.toList())
  return preparing === undefined ? answer() : preparing.then(answer)
}
