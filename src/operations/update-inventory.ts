import { createErrorResponse } from '../http/error-response.ts'
import { createJsonResponse } from '../http/wire-response.ts'
import { parseStockUpdate } from '../inventory/stock-update.ts'
import { toItemJson } from '../store/pet-table.ts'
import { defineOperation, type Operation } from './define-operation.ts'

/** `PATCH /inventory/{petId}`: sets the stock of one pet. */
export const updateInventory: Operation<'updateInventory'> = defineOperation('updateInventory', {
  parse({ petId, body }, { quantityRange }) {
    const update = parseStockUpdate(body, quantityRange)
    return 'problem' in update ? update : { petId, quantity: update.quantity }
  },
  resolve({ petId, quantity }, { state }) {
    const pet = state.get(petId)
    if (pet === undefined) return createErrorResponse('not_found', `There is no pet ${petId}`)
    const updated = { petId, quantity, status: pet.status }
    state.put(updated)
    return createJsonResponse(200, toItemJson(updated))
  },
})
