import { type Fault, parseFaultBody } from '../sandbox/fault.ts'
import type { ActiveFault } from '../sandbox/faults.ts'
import type { Control } from './create-control.ts'

/** `mock.faults` of a mock that runs elsewhere. */
export interface RemoteFaults {
  /** @throws {MockError} `CONTROL_REFUSED` naming what is wrong, `INVALID_FAULT` for a body that JSON cannot say. */
  add(fault: Fault): Promise<ActiveFault>
  /** Those that can still strike. */
  list(): Promise<ActiveFault[]>
  /** Takes one back; says whether it was there. */
  remove(id: number): Promise<boolean>
  clear(): Promise<void>
}

export function createRemoteFaults({ ask, find }: Control): RemoteFaults {
  return {
    add: async (fault) => (await ask('addFault', { body: keepBody(fault) })) as ActiveFault,
    list: async () => (await ask('listFaults')) as ActiveFault[],
    async remove(id) {
      if (!Number.isSafeInteger(id)) return false
      return (await find('removeFault', { params: { id: String(id) } })) !== undefined
    },
    async clear() {
      await ask('clearFaults')
    },
  }
}

function keepBody(fault: Fault): Fault {
  const body: unknown = fault?.body
  return body === undefined ? fault : { ...fault, body: parseFaultBody(body).bodyText }
}
