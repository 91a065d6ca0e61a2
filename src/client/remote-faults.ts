import type { Fault } from '../control/fault.ts'
import type { ActiveFault } from '../control/faults.ts'
import type { Control } from './create-control.ts'

/** `mock.faults` of a mock that runs elsewhere. */
export interface RemoteFaults {
  /** @throws {MockError} `CONTROL_REFUSED` naming what is wrong. */
  add(fault: Fault): Promise<ActiveFault>
  /** Those that can still strike. */
  list(): Promise<ActiveFault[]>
  /** Takes one back; says whether it was there. */
  remove(id: number): Promise<boolean>
  clear(): Promise<void>
}

export function createRemoteFaults({ ask, find }: Control): RemoteFaults {
  return {
    add: async (fault) => (await ask('post', '/faults', { body: fault })) as ActiveFault,
    list: async () => (await ask('get', '/faults')) as ActiveFault[],
    remove: async (id) => (await find('delete', '/faults/{id}', { params: { id: String(id) } })) !== undefined,
    async clear() {
      await ask('delete', '/faults')
    },
  }
}
