import { createJsonResponse } from '../http/wire-response.ts'
import { toItemJson } from '../inventory/pet.ts'
import { parseStockUpdate } from '../inventory/stock-update.ts'
import { defineOperation, type Operation } from './define-operation.ts'
import { createUnknownPetResponse } from './run-operation.ts'

/** `PATCH /inventory/{petId}`: sets the stock of one pet. */
export const updateInventory: Operation<'updateInventory'> = defineOperation('updateInventory', {
  parse({ petId, body }, { rules }) {
    const update = parseStockUpdate(body, rules)
    return 'problem' in update ? update : { petId, quantity: update.quantity }
  },
  resolve({ petId, quantity }, { state, rules }) {
    const pet = state.get(petId)
    if (pet === undefined) return createUnknownPetResponse(petId, rules)
    const updated = { petId, quantity, status: pet.status }
    state.put(updated)
    return createJsonResponse(200, toItemJson(updated))
  },
})
