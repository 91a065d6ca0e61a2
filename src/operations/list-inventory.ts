import { createJsonResponse, type WireResponse } from '../http/wire-response.ts'
import { defineOperation, type Operation } from './define-operation.ts'

/** `GET /inventory`: lists the stock of every pet. */
export const listInventory: Operation<'listInventory'> = defineOperation('listInventory', {
  parse: () => ({}),
  resolve(_, { state }) {
    const preparing = state.prepare()
    const respond = (): WireResponse => createJsonResponse(200, state.toList())
    return preparing === undefined ? respond() : preparing.then(respond)
  },
})
