import { createJsonAnswer } from '../contract/answer.ts'
import type { OperationHandler } from './operation-handler.ts'

/** `GET /inventory`: every pet's stock. */
export const listInventory: OperationHandler = ({ state }) => createJsonAnswer(200, state.toJson())
