import { createEmptyAnswer, createJsonAnswer } from '../../contract/answer.ts'
import type { Fault } from '../fault.ts'
import type { ActiveFault, FaultControls } from '../faults.ts'
import { ControlError } from './control-error.ts'
import type { ControlRoute } from './control-route.ts'
import { readJson } from './read-json.ts'

export const listFaults: ControlRoute = {
  method: 'GET',
  path: '/faults',
  answer: ({ sandbox }) => createJsonAnswer(200, toFaultsJson(sandbox.faults)),
}

export const addFault: ControlRoute = {
  method: 'POST',
  path: '/faults',
  answer: async ({ call, sandbox }) =>
    createJsonAnswer(201, toFaultJson(sandbox.faults.add((await readJson(call)) as Fault))),
}

export const clearFaults: ControlRoute = {
  method: 'DELETE',
  path: '/faults',
  answer({ sandbox }) {
    sandbox.faults.clear()
    return createEmptyAnswer()
  },
}

export const removeFault: ControlRoute = {
  method: 'DELETE',
  path: '/faults/{id}',
  answer({ params: { id = '' }, sandbox }) {
    if (sandbox.faults.remove(Number(id))) return createEmptyAnswer()
    throw new ControlError('not_found', `There is no fault ${id} in the sandbox ${sandbox.controls.name}`)
  },
}

export function toFaultsJson(faults: Pick<FaultControls, 'list'>): string {
  return `[${faults.list().map(toFaultJson).join(',')}]`
}

/** As JSON with the petId as an exact integer. */
function toFaultJson({ petId, ...fault }: ActiveFault): string {
  const json = JSON.stringify(fault)
  return petId === undefined ? json : `{"petId":${petId},${json.slice(1)}`
}
