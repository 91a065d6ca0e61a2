import { assertNoArgument } from '../http/assert-no-argument.ts'
import { assertFaultId, assertSelection, type Fault, parseFaultBody } from '../sandbox/fault.ts'
import type { ActiveFault } from '../sandbox/faults.ts'
import type { Control } from './create-control.ts'

/** `mock.faults` of a mock in another process. */
export interface RemoteFaults {
  /**
   * Adds a fault. A sandbox has at most 1,000 faults.
   * @throws {MockError} `CONTROL_REFUSED` naming the problem, `INVALID_FAULT` for a body that JSON cannot represent, and
   * for an `operation` or `petId` that is `undefined`.
   */
  add(fault: Fault): Promise<ActiveFault>
  /** The faults that can still be triggered. */
  list(): Promise<ActiveFault[]>
  /** Removes a fault. Resolves to false if there is no such fault. */
  remove(id: number): Promise<boolean>
  /** Removes all faults of the sandbox. */
  clear(): Promise<void>
}

export function createRemoteFaults({ ask, find }: Control): RemoteFaults {
  return {
    add: async (fault) => (await ask('addFault', { body: keepBody(fault) })) as ActiveFault,
    list: async () => (await ask('listFaults')) as ActiveFault[],
    async remove(id) {
      assertFaultId(id)
      return (await find('removeFault', { params: { id: String(id) } })) !== undefined
    },
    async clear(...given: unknown[]) {
      assertNoArgument('faults.clear', given, 'Remove one fault with faults.remove(id).')
      await ask('clearFaults')
    },
  }
}

function keepBody(fault: Fault): Fault {
  assertSelection(fault)
  const body: unknown = fault?.body
  return body === undefined ? fault : { ...fault, body: parseFaultBody(body).bodyText }
}
