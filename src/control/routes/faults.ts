import { findMember, isJsonObject, JsonText } from '../../http/exact-json.ts'
import { cut } from '../../http/quote.ts'
import { createEmptyResponse, createJsonResponse } from '../../http/wire-response.ts'
import { writeExactJson } from '../../http/write-exact-json.ts'
import type { Fault } from '../../sandbox/fault.ts'
import type { FaultsInternals } from '../../sandbox/faults.ts'
import { ControlError } from './control-error.ts'
import type { ControlRoute } from './control-route.ts'
import { readJsonText } from './read-json.ts'

export const listFaults: ControlRoute = {
  method: 'GET',
  path: '/faults',
  answer: ({ sandbox }) => createJsonResponse(200, toFaultsJson(sandbox.faults)),
}

export const addFault: ControlRoute = {
  method: 'POST',
  path: '/faults',
  async answer({ sandbox: { faults }, ...upload }) {
    const { text, value } = await readJsonText(upload)
    faults.add((isJsonObject(value) ? keepBodyText(value, text) : value) as Fault)
    return createJsonResponse(201, toOneLine(faults.listTexts().at(-1)))
  },
}

export const clearFaults: ControlRoute = {
  method: 'DELETE',
  path: '/faults',
  answer({ sandbox }) {
    sandbox.faults.clear()
    return createEmptyResponse()
  },
}

export const removeFault: ControlRoute = {
  method: 'DELETE',
  path: '/faults/{id}',
  answer({ params: { id = '' }, sandbox }) {
    if (/^[1-9]\d{0,15}$/.test(id) && sandbox.faults.remove(Number(id))) return createEmptyResponse()
    throw new ControlError('not_found', `There is no fault ${cut(id)} in the sandbox ${sandbox.controls.name}`)
  },
}

export function toFaultsJson(faults: Pick<FaultsInternals, 'listTexts'>): string {
  return toOneLine(faults.listTexts())
}

/** A body that came as text goes out as that text: a parser would drop 1.0 for 1, and all but one of repeated names. */
function keepBodyText(fault: Record<string, unknown>, text: string): Record<string, unknown> {
  const body = findMember(text, 'body')
  return body === undefined ? fault : { ...fault, body: new JsonText(body) }
}

/** A data line of server-sent events has no line break, and in JSON one can only stand between two tokens. */
function toOneLine(value: unknown): string {
  return writeExactJson(value).replaceAll(/[\r\n]+/g, ' ')
}
