import { createErrorResponse } from '../../http/error-response.ts'
import { CONTROL_PATH, refuseMethod } from '../../http/router.ts'
import type { WireRequest } from '../../http/wire-request.ts'
import { createResponse, type WireResponse } from '../../http/wire-response.ts'
import { createPageFiles } from './page-files.ts'

/** The files of the console. They contain no data: the console loads everything from the control API. */
const FILES: readonly string[] = ['index.html', 'console.js', 'console.css', 'icon.svg']
const ROBOTS = 'User-agent: *\nDisallow: /\n'

/** What browsers request beside the service. These requests are not recorded in the journal. */
export interface ConsoleFiles {
  /** The console's page and its files. */
  answer(request: WireRequest): Promise<WireResponse>
  /**
   * Answers a path of `isRootPath`: `/` redirects to the console if it is on. `undefined` leaves the request to the
   * service.
   */
  answerRoot(request: WireRequest, options: { readonly isConsoleOn: boolean }): Promise<WireResponse | undefined>
}

export function createConsoleFiles(): ConsoleFiles {
  const files = createPageFiles('console')
  return {
    async answer(request) {
      if (!isRead(request)) return refuseMethod(request, 'GET, HEAD')
      const name = toFileName(request.path)
      if (name === undefined) return createResponse(308, '', { location: toConsole(request) })
      const file = await files.answer(name, request)
      return file ?? createErrorResponse('not_found', 'The console is not built. In a checkout, npm run build makes it')
    },
    async answerRoot(request, { isConsoleOn }) {
      if (!isRead(request)) return undefined
      // Not permanent: the next server on this port may have no console.
      if (request.path === '/')
        return isConsoleOn ? createResponse(302, '', { location: toConsole(request) }) : undefined
      if (request.path === '/robots.txt')
        return createResponse(200, ROBOTS, { 'content-type': 'text/plain; charset=utf-8' })
      return (await files.answer('icon.svg', request)) ?? createErrorResponse('not_found', 'The console is not built')
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

function isRead({ method }: Pick<WireRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Relative, so that it also works behind a proxy that mounts the mock below another path. */
function toConsole({ url }: Pick<WireRequest, 'url'>): string {
  return `${CONTROL_PATH.slice(1)}/${url.search}`
}

function toFileName(pathname: string): string | undefined {
  if (!pathname.startsWith(`${CONTROL_PATH}/`)) return undefined
  const name = pathname.slice(CONTROL_PATH.length + 1) || 'index.html'
  return FILES.includes(name) ? name : undefined
}
