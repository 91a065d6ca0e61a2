import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Bytes } from '../../http/bytes.ts'
import { createErrorResponse } from '../../http/error-response.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { CONTROL_PATH, refuseMethod } from '../../http/router.ts'
import type { WireRequest } from '../../http/wire-request.ts'
import { createResponse, type WireResponse } from '../../http/wire-response.ts'

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

/** Serves the files of the demo at the root of a server, and nothing else. */
interface DemoFiles {
  isBuilt(): Promise<boolean>
  answer(request: WireRequest): Promise<WireResponse>
}

export function createDemoFiles(): DemoFiles {
  const files = createPageFiles('demo')
  return {
    isBuilt: async () => (await files.list()).includes('index.html'),
    async answer(request) {
      const name = request.path === '/' ? 'index.html' : request.path.slice(1)
      const isThere = (await files.list()).includes(name)
      if (!isThere) return createErrorResponse('not_found', `The demo has no file ${hideInAddress(request.path)}`)
      if (!isRead(request)) return refuseMethod(request, 'GET, HEAD')
      const file = await files.answer(name, request)
      return file ?? createErrorResponse('not_found', `The demo has no file ${hideInAddress(request.path)} any more`)
    },
  }
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

/** The pages in the package. Each has a flat folder. */
type PageName = 'console' | 'demo'

/** The files of a page, served over HTTP. */
interface PageFiles {
  /** The names of the files; empty if the page is not built. */
  list(): Promise<readonly string[]>
  /** A file, read again for each request, in the encoding the client prefers; `undefined` if it does not exist. */
  answer(name: string, request: Pick<WireRequest, 'header'>): Promise<WireResponse | undefined>
}

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

/** A file name with a content hash. Such a file never changes. */
const HASHED = /-[\w-]{8}\.(js|css)$/
/** The minimum size for compression, in bytes. Smaller files fit into one packet. */
const SMALLEST_COMPRESSED = 1024
/** Two levels below the best: a tenth of the time, and 3 % more bytes. */
const BROTLI_QUALITY = 9

type Encoding = 'br' | 'gzip'
const compress: Readonly<Record<Encoding, (content: Bytes) => Promise<Bytes>>> = {
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (content) => promisify(gzip)(content),
}

function createPageFiles(page: PageName): PageFiles {
  // Resolves the package by its own name, which works from source and when published.
  const folder = new URL(`dist/${page}/`, import.meta.resolve('petstore-mock/package.json'))
  /** By name and encoding. A file that changed on disk is compressed again. */
  const compressed = new Map<string, { readonly hash: string; readonly bytes: Promise<Bytes> }>()

  function encode(name: string, file: { content: Bytes; hash: string; encoding: Encoding }): Promise<Bytes> {
    const { content, hash, encoding } = file
    const key = `${name} ${encoding}`
    const known = compressed.get(key)
    if (known?.hash === hash) return known.bytes
    const bytes = compress[encoding](content)
    compressed.set(key, { hash, bytes })
    return bytes
  }

  return {
    list: () => readdir(folder).catch(() => []),
    async answer(name, request) {
      const content: Bytes | undefined = await readFile(new URL(name, folder)).catch(() => undefined)
      if (content === undefined) return undefined
      const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
      const encoding =
        content.byteLength < SMALLEST_COMPRESSED ? undefined : toEncoding(request.header('accept-encoding'))
      const headers = {
        etag: `"${encoding === undefined ? hash : `${hash}-${encoding}`}"`,
        vary: 'accept-encoding',
        'cache-control': HASHED.test(name) ? 'max-age=31536000, immutable' : 'no-cache',
      }
      if (isKnown(headers.etag, request.header('if-none-match')))
        return { type: 'response', status: 304, headers, body: [] }
      const body = encoding === undefined ? content : await encode(name, { content, hash, encoding })
      const response = createResponse(200, [body], {
        'content-type': CONTENT_TYPES[extname(name)] ?? '',
        ...(encoding !== undefined && { 'content-encoding': encoding }),
        ...PAGE_HEADERS,
      })
      return { ...response, headers: { ...response.headers, ...headers } }
    },
  }
}

/** The smallest encoding that the client accepts; `undefined` for none (RFC 9110, section 12.5.3). */
function toEncoding(accepted = ''): Encoding | undefined {
  const weights = new Map(accepted.toLowerCase().split(',').map(toWeight))
  const encodings: readonly Encoding[] = ['br', 'gzip']
  return encodings.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0)
}

function toWeight(part: string): [encoding: string, weight: number] {
  const [encoding = '', ...parameters] = part.split(';').map((text) => text.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return [encoding, weight === undefined ? 1 : Number(weight)]
}

/** RFC 9110, section 13.1.2. */
function isKnown(etag: string, header = ''): boolean {
  const known = header.split(',').map((text) => text.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}
