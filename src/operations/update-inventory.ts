import { whenReady } from '../http/awaitable.ts'
import type { Bytes } from '../http/bytes.ts'
import { createErrorAnswer } from '../http/error-response.ts'
import { quote } from '../http/quote.ts'
import { BODY_TOO_LARGE } from '../http/wire-request.ts'
import { type Answer, createJsonAnswer } from '../http/wire-response.ts'
import { isPetKey, type PetKey } from '../inventory/pet-id.ts'
import { parseStockUpdate } from '../inventory/stock-update.ts'
import { toItemJson } from '../store/inventory-item.ts'
import { isJsonMediaType } from './media-type.ts'
import type { OperationContext, OperationHandler } from './operation-handler.ts'

/** In bytes. A larger body is refused and not read to its end. */
export const LARGEST_BODY = 65_536

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** `PATCH /inventory/{petId}`: sets the stock of one pet. */
export const updateInventory: OperationHandler = (context) => {
  const { call, params } = context
  const petId = params['petId'] ?? ''
  if (!isPetKey(petId)) return refuse(`petId must be an int64 in canonical decimal form, got ${quote(petId)}`)
  const mediaType = call.header('content-type')
  if (!isJsonMediaType(mediaType)) return refuse(toMediaTypeMessage(mediaType))
  return whenReady(call.readBody(LARGEST_BODY), (body) => update(petId, { body, context }))
}

function update(
  petId: PetKey,
  { body, context }: { body: Bytes | typeof BODY_TOO_LARGE; context: OperationContext },
): Answer {
  const { state, quantityRange } = context
  if (body === BODY_TOO_LARGE) return refuse(`The body must be at most ${LARGEST_BODY} bytes`)
  const text = decodeUtf8(body)
  if (text === undefined) return refuse('The body must be a JSON object: it is not valid UTF-8')
  const parsed = parseStockUpdate(text, quantityRange)
  if ('problem' in parsed) return refuse(parsed.problem)
  const pet = state.get(petId)
  if (pet === undefined) return createErrorAnswer('not_found', `There is no pet ${petId}`)
  const updated = { petId, quantity: parsed.quantity, status: pet.status }
  state.put(updated)
  return createJsonAnswer(200, toItemJson(updated))
}

function refuse(message: string): Answer {
  return createErrorAnswer('invalid_request', message)
}

function toMediaTypeMessage(mediaType: string | undefined): string {
  const wanted = 'Content-Type must be application/json'
  return mediaType === undefined ? `${wanted}, and none was sent` : `${wanted}, got ${quote(mediaType)}`
}

/** `undefined` where the bytes are not UTF-8, the only encoding of JSON (RFC 8259, section 8.1). */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
