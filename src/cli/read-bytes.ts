import { readFile, stat } from 'node:fs/promises'

/** The program's own input, and the pipes of a shell's `<(command)`. Standard output and standard error never end. */
const OPEN_PIPE = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/(?![12]$)\d+)$/

/**
 * Reads a file of the command line.
 * @throws {Error} for a named pipe: opening it waits for its writer, and no signal ends the program meanwhile. Also
 * throws what the file system reports.
 */
export async function readBytes(path: string): Promise<Uint8Array> {
  if ((await stat(path)).isFIFO() && !OPEN_PIPE.test(path)) throw new Error('it is a named pipe')
  return readFile(path)
}
