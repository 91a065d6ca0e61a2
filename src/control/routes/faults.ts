import { findMember, isJsonObject, JsonText } from '../../http/exact-json.ts'
import { cut } from '../../http/quote.ts'
import type { Fault } from '../../sandbox/fault.ts'
import type { ActiveFault } from '../../sandbox/faults.ts'
import { ControlError } from './control-error.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'
import { readJsonText } from './read-json.ts'

export const listFaults: ControlRoute<'listFaults'> = defineControlRoute('listFaults', ({ sandbox }) => ({
  status: 200,
  body: sandbox.faults.listTexts(),
}))

export const addFault: ControlRoute<'addFault'> = defineControlRoute(
  'addFault',
  async ({ sandbox: { faults }, ...upload }) => {
    const { text, value } = await readJsonText(upload)
    faults.add((isJsonObject(value) ? keepBodyText(value, text) : value) as Fault)
    return { status: 201, body: faults.listTexts().at(-1) as ActiveFault }
  },
)

export const clearFaults: ControlRoute<'clearFaults'> = defineControlRoute('clearFaults', ({ sandbox }) => {
  sandbox.faults.clear()
  return { status: 204 }
})

export const removeFault: ControlRoute<'removeFault'> = defineControlRoute(
  'removeFault',
  ({ params: { id }, sandbox }) => {
    if (/^[1-9]\d{0,15}$/.test(id) && sandbox.faults.remove(Number(id))) return { status: 204 }
    throw new ControlError('unknown_fault', `There is no fault ${cut(id)} in the sandbox ${sandbox.controls.name}`)
  },
)

/** Keeps the source text of the body: parsing would turn 1.0 into 1, and drop duplicate names. */
function keepBodyText(fault: Record<string, unknown>, text: string): Record<string, unknown> {
  const body = findMember(text, 'body')
  return body === undefined ? fault : { ...fault, body: new JsonText(body) }
}
