import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Bytes } from '../../http/bytes.ts'
import { CONTROL_PATH } from '../../http/control-path.ts'
import { createErrorResponse, toInternalError } from '../../http/error-response.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { refuseMethod } from '../../http/router.ts'
import type { WireRequest } from '../../http/wire-request.ts'
import { createResponse, type WireResponse } from '../../http/wire-response.ts'
import type { MockService } from '../../service/mock.ts'

/** The files of the console. They contain no data: the console loads everything from the control API. */
const FILES: readonly string[] = ['index.html', 'console.js', 'console.css', 'icon.svg']

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/** The page may only connect to its own origin, and no other page may frame it. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const NOT_BUILT = 'The console is not built. In a checkout, npm run build makes it'

/** Answers a path of `isConsolePath`. These requests are not recorded in the journal. */
export async function answerConsole(request: WireRequest): Promise<WireResponse> {
  if (!isRead(request)) return refuseMethod(request, 'GET, HEAD')
  const name = toFileName(request.path)
  if (name === undefined) return createResponse(308, '', { location: toConsole(request) })
  return (await readPage(name)) ?? createErrorResponse('not_found', NOT_BUILT)
}

/**
 * Answers a path of `isRootPath`: `/` redirects to the console if it is on. `undefined` leaves the request to the service.
 * These requests are not recorded either.
 */
export async function answerRoot(request: WireRequest, isConsoleOn: boolean): Promise<WireResponse | undefined> {
  if (!isRead(request)) return undefined
  // Not permanent: the next server on this port may have no console.
  if (request.path === '/') return isConsoleOn ? createResponse(302, '', { location: toConsole(request) }) : undefined
  if (request.path === '/robots.txt')
    return createResponse(200, 'User-agent: *\nDisallow: /\n', { 'content-type': 'text/plain; charset=utf-8' })
  return (await readPage('icon.svg')) ?? createErrorResponse('not_found', NOT_BUILT)
}

/** The files of a page, by their names, at the root of a server, and nothing else. */
export function answerFiles(files: ReadonlyMap<string, Bytes | string>): Pick<MockService, 'answer'> {
  return {
    async answer(request) {
      const name = request.path === '/' ? 'index.html' : request.path.slice(1)
      const content = files.get(name)
      if (content === undefined)
        return createErrorResponse('not_found', `The demo has no file ${hideInAddress(request.path)}`)
      return isRead(request) ? createFileResponse(name, content) : refuseMethod(request, 'GET, HEAD')
    },
  }
}

/** Whether browsers and crawlers request this path from every server. */
export function isRootPath(pathname: string): boolean {
  return pathname === '/' || pathname === '/favicon.ico' || pathname === '/robots.txt'
}

/** Whether a path belongs to the console's files, which are public. */
export function isConsolePath(pathname: string): boolean {
  return pathname === CONTROL_PATH || toFileName(pathname) !== undefined
}

const isRead = ({ method }: Pick<WireRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD'

/** Relative, so that it also works behind a proxy that mounts the mock below another path. */
const toConsole = ({ url }: Pick<WireRequest, 'url'>): string => `${CONTROL_PATH.slice(1)}/${url.search}`

function toFileName(pathname: string): string | undefined {
  if (!pathname.startsWith(`${CONTROL_PATH}/`)) return undefined
  const name = pathname.slice(CONTROL_PATH.length + 1) || 'index.html'
  return FILES.includes(name) ? name : undefined
}

/** A file of the console, read again for each request; `undefined` if it does not exist. */
async function readPage(name: string): Promise<WireResponse | undefined> {
  try {
    // Resolves the package by its own name, which works from source and when published.
    return createFileResponse(
      name,
      await readFile(new URL(`dist/console/${name}`, import.meta.resolve('petstore-mock/package.json'))),
    )
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : toInternalError(error)
  }
}

function createFileResponse(name: string, content: Bytes | string): WireResponse {
  return createResponse(200, content, { 'content-type': CONTENT_TYPES[extname(name)] ?? '', ...PAGE_HEADERS })
}
