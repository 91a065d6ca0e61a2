import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { delimiter, join } from 'node:path'

/** What some tests need of the machine. Where it is missing they are skipped, and their titles say what they need. */
export function hasProgram(name: string): boolean {
  return findProgram(name) !== undefined
}

/** The first of these programs that is in the `PATH`. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Whether loopback has an address of IPv6. */
export const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'))

/** Finds a free port, for programs that do not say which one they took. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
