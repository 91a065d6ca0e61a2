import type { WireResponse } from '../../wire/parse-response.ts'
import type { World } from '../world.ts'
import type { Judge, Violation } from './request.ts'

const CODES: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_request'],
  401: ['unauthorized'],
  403: ['forbidden'],
  // The last three come from control routes.
  404: ['not_found', 'unknown_pet', 'unknown_fault', 'unknown_sandbox'],
  405: ['method_not_allowed'],
  501: ['not_specified'],
}

/** An Error object with one of these statuses. */
export function isRefused(...statuses: readonly number[]): Judge {
  return (response) => {
    if (!statuses.includes(response.status)) return unexpected(response, `a refusal with ${statuses.join(' or ')}`)
    return checkError(response)
  }
}

/** The list, byte for byte. */
export const isList: Judge = (response, world) => {
  if (response.status !== 200) return unexpected(response, 'the list')
  return checkJson(response) ?? compare(response.body.toString(), world.toList())
}

/** The head of the list, without its body. */
export const isListHead: Judge = (response, world) => {
  if (response.status !== 200) return unexpected(response, 'the head of the list')
  return compare(response.headers['content-length'] ?? '', String(Buffer.byteLength(world.toList())))
}

/** The updated pet, byte for byte, or a 404 where there is no such pet. */
export function isUpdated(petId: string, quantity: bigint): Judge {
  return (response, world) => {
    if (!world.has(petId)) return isRefused(404)(response, world)
    if (response.status !== 200) return unexpected(response, `the update of ${petId} to ${quantity}`)
    world.update(petId, quantity)
    return checkJson(response) ?? compare(response.body.toString(), world.toItem(petId))
  }
}

/** Whatever the status picks out of these. */
export function isEither(choices: Readonly<Record<number, Judge>>): Judge {
  return (response, world) => {
    const judge = choices[response.status]
    return judge === undefined ? unexpected(response, Object.keys(choices).join(' or ')) : judge(response, world)
  }
}

/** Anything but a fault of the server's; an error is an Error object. */
export const isNoServerError: Judge = (response) => {
  if (response.status >= 500 && response.status !== 501) return unexpected(response, 'no fault of the server')
  return response.status >= 400 ? checkError(response) : undefined
}

export function unexpected({ status, body }: WireResponse, wanted: string): string {
  return `Got ${status} ${body.toString('utf8', 0, 300)}, wanted ${wanted}`
}

/** The checks of every error response that the mock itself wrote. */
function checkError(response: WireResponse): Violation {
  const { status, headers, body } = response
  const wrong = checkJson(response)
  if (wrong !== undefined) return wrong
  const error = JSON.parse(body.toString()) as { code?: unknown; message?: unknown; status?: unknown }
  const isWhole = error.status === status && typeof error.message === 'string'
  const codes = CODES[status]
  if (!isWhole || typeof error.code !== 'string' || codes?.includes(error.code) === false) {
    return `Not an Error object for ${status}: ${body}`
  }
  if (status === 401 && headers['www-authenticate'] === undefined) return 'A 401 without WWW-Authenticate'
  if (status === 405 && headers['allow'] === undefined) return 'A 405 without Allow'
  return undefined
}

export function checkJson({ headers, body }: WireResponse): Violation {
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return `Not JSON: ${headers['content-type']}`
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return undefined
  } catch (error) {
    return `A body that is no JSON (${(error as Error).message}): ${body.toString('utf8', 0, 200)}`
  }
}

function compare(found: string, wanted: string): Violation {
  return found === wanted ? undefined : `Got ${found}, wanted ${wanted}`
}

/** The state of a sandbox as the control API gives it. */
export const isState: Judge = (response, world) => {
  if (response.status !== 200) return unexpected(response, 'the state')
  const text = response.body.toString().replaceAll(/\s/g, '')
  const wrong = checkJson(response)
  if (wrong !== undefined) return wrong
  return text.includes(`"inventory":${world.toList()}`) ? undefined : `Got ${text}, wanted ${world.toList()}`
}

/** After the state went back to the seed. */
export function isReset(response: WireResponse, world: World): Violation {
  if (response.status !== 200) return unexpected(response, 'a reset')
  world.reset()
  return isState(response, world)
}
