import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { UsageError } from '../command.ts'
import { hasErrorCode, toFileError } from '../files.ts'

/**
 * Keeps other servers of this machine away from a file, by listening on a socket that is named by the file. The kernel
 * closes the socket when the process ends, however it ends, and also if nobody waits for the process.
 * @param file Its real path.
 * @param name The flag and the path, for the message.
 * @returns A function that releases the lock.
 * @throws {UsageError} naming the process that holds the lock.
 */
export async function takeLock(file: string, name: string): Promise<() => void> {
  const address = toAddress(file)
  try {
    const server = await listen(address)
    return () => void server.close()
  } catch (cause) {
    if (!hasErrorCode(cause, 'EADDRINUSE')) throw toFileError(name, 'written', cause)
  }
  const owner = await findOwner(address)
  if (owner !== undefined)
    throw new UsageError(`${name} is in use by ${owner}. Stop that server, or use another file here.`)
  // A killed process leaves its socket file behind.
  if (isSocketFile()) rmSync(address, { force: true })
  return takeLock(file, name)
}

/** On Linux an abstract socket, on Windows a named pipe. Neither is a file that could be left behind, or deleted. */
function toAddress(file: string): string {
  const id = `petstore-mock-${createHash('sha256').update(file).digest('hex').slice(0, 32)}`
  if (isSocketFile()) return join(tmpdir(), `${id}.sock`)
  return process.platform === 'win32' ? `\\\\.\\pipe\\${id}` : `\0${id}`
}

function isSocketFile(): boolean {
  return process.platform !== 'linux' && process.platform !== 'win32'
}

/** Tells its process id to everyone who connects. */
async function listen(address: string): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => {}).end(String(process.pid)))
  server.unref().listen(address)
  await once(server, 'listening')
  return server
}

/** The process that listens; `undefined` if none does. */
async function findOwner(address: string): Promise<string | undefined> {
  const socket = connect(address)
  // A process that is suspended does not answer, and still holds the lock.
  socket.setTimeout(500, () => socket.destroy(new Error('no answer')))
  try {
    return `process ${await text(socket)}`
  } catch (error) {
    const isNobody = hasErrorCode(error, 'ECONNREFUSED') || hasErrorCode(error, 'ENOENT')
    return isNobody ? undefined : 'another process'
  }
}
