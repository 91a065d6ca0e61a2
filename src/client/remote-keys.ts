import type { Control } from './create-control.ts'

/** `mock.apiKeys` of a mock in another process. */
export interface RemoteKeys {
  /**
   * Makes a key valid for this sandbox, until it is reset.
   * @throws {MockError} `CONTROL_REFUSED` for a key that is not a b64token.
   */
  add(key: string): Promise<void>
  /**
   * Makes a key invalid for this sandbox, until it is reset.
   * @throws {MockError} `CONTROL_REFUSED` for a key that the sandbox never had.
   */
  revoke(key: string): Promise<void>
}

export function createRemoteKeys({ ask }: Control): RemoteKeys {
  return {
    async add(key) {
      await ask('changeKeys', { body: { add: key } })
    },
    async revoke(key) {
      await ask('changeKeys', { body: { revoke: key } })
    },
  }
}
