import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { onTestFinished } from 'vitest'

const BUILT = new URL('../../dist/demo/', import.meta.url)
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** A plain static web server. */
export interface FolderServer {
  /** Of the folder. */
  readonly url: string
  /** The log of requests: `200 /some/folder/worker.js`. */
  readonly log: readonly string[]
  /** The demo's files by their names, for a test to change. */
  readonly files: Map<string, string>
  /** Accepts requests from now on, but never responds. */
  fallSilent(): void
  /** Restores the missing file. */
  restore(): void
  /** Stops the server, like a machine that is turned off. */
  close(): Promise<void>
}

export interface FolderOptions {
  /** With slashes at both ends. */
  readonly folder?: string
  /** A file that is not there. */
  readonly missing?: string
  /** Files instead of those of the built demo. */
  readonly files?: ReadonlyMap<string, string>
  /** What the machine is called. */
  readonly host?: string
}

/** Serves the built demo in a folder of a site, and in the folders beside it, as any web server does. */
export async function serveFolder(options: FolderOptions = {}): Promise<FolderServer> {
  const { folder = '/', host = 'localhost' } = options
  const files = new Map(options.files ?? (await readBuilt()))
  let { missing } = options
  const depth = folder.split('/').length - 1
  const log: string[] = []
  let isSilent = false
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (isSilent) return
    const segments = pathname.split('/')
    const name = segments.at(-1) || 'index.html'
    const file = segments.length - 1 === depth && name !== missing ? files.get(name) : undefined
    log.push(`${file === undefined ? 404 : 200} ${pathname}`)
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': TYPES[extname(name)] ?? 'image/svg+xml' })
    response.end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    if (!server.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  onTestFinished(close)
  return {
    url: `http://${host}:${port}${folder}`,
    log,
    files,
    fallSilent() {
      isSilent = true
    },
    restore() {
      missing = undefined
    },
    close,
  }
}

/** The files of the built demo by their names. */
export async function readBuilt(): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(BUILT)
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, BUILT), 'utf8')] as const)),
  )
}
