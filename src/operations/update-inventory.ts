import { createErrorAnswer } from '../http/error-response.ts'
import { createJsonAnswer } from '../http/wire-response.ts'
import { parseStockUpdate } from '../inventory/stock-update.ts'
import { toItemJson } from '../store/inventory-item.ts'
import { defineOperation, type Operation } from './define-operation.ts'

/** `PATCH /inventory/{petId}`: sets the stock of one pet. */
export const updateInventory: Operation = defineOperation('updateInventory', {
  petIdOf: { in: 'path', name: 'petId' },
  parse({ petId, body }, { quantityRange }) {
    const update = parseStockUpdate(body, quantityRange)
    return 'problem' in update ? update : { petId, quantity: update.quantity }
  },
  resolve({ petId, quantity }, { state }) {
    const pet = state.get(petId)
    if (pet === undefined) return createErrorAnswer('not_found', `There is no pet ${petId}`)
    const updated = { petId, quantity, status: pet.status }
    state.put(updated)
    return createJsonAnswer(200, toItemJson(updated))
  },
})
