import { OPERATIONS } from '../../contract/operations.gen.ts'
import { writeBaseUrl } from '../../http/base-url.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { isLoopback } from '../../http/is-loopback.ts'
import { oneOf, type Schema } from '../../http/schema.ts'
import type { Target } from './target.ts'

const RULES = ['bypass', 'warn', 'error'] as const

/** What to do with a request that is not for the mock. */
export type UnhandledRequest = (typeof RULES)[number]

/** Options of `interceptRequests`, which a worker has, too. */
export interface InterceptOptions {
  /**
   * What to do with a request that is not for the mock: send it to the network (`bypass`, or `warn` with one warning for
   * each address), or fail it (`error`). A page's own files, such as scripts and images, always go to the network.
   * @default `warn`, but not of other servers on this machine, and of the page's own one only for paths like `/inventory`
   */
  readonly onUnhandledRequest?: UnhandledRequest
}

/** @internal */
export const UNHANDLED_REQUEST: Schema<UnhandledRequest> = oneOf(RULES)

/** Creates the function that logs a request that is not for the mock, and returns the error to fail it with, if any. */
export function createUnhandledRule(
  rule: UnhandledRequest | undefined,
  { bases, origin: remote }: Pick<Target, 'bases' | 'origin'>,
): (request: Request) => Error | undefined {
  const told = new Set<string>()
  return ({ method, url }) => {
    const { origin, pathname, hostname } = new URL(url)
    if (rule === 'bypass' || origin === remote || isPageAsset(url)) return undefined
    if (rule === undefined && isLoopback(hostname) && !isMissed(origin, pathname)) return undefined
    const fact = `petstore-mock: ${method} ${hideInAddress(url)} is not for the mock, which answers ${bases.map(writeBaseUrl).join(', ')}`
    if (rule === 'error') {
      const message = `${fact}. It fails because onUnhandledRequest is 'error'. Check the URL, or set the option to 'bypass'.`
      console.error(message)
      // The kind of error that fetch throws without a network.
      return new TypeError(message)
    }
    if (!told.has(origin + pathname))
      console.warn(
        `${fact}. It goes to the network. Check its URL and the mock's baseUrl, or set onUnhandledRequest to 'bypass' to silence this warning.`,
      )
    told.add(origin + pathname)
    return undefined
  }
}

/** Names the user's handlers that get no request here, because their paths are outside the base paths. */
export function warnOfUnreachedHandlers({ handlers = [], bases, covers }: Target): void {
  const unreached = handlers.filter(({ info }) => {
    const { path } = info as { readonly path?: unknown }
    if (typeof path !== 'string' || path.includes('*')) return false
    return !covers(new URL(path, bases[0].origin ?? 'http://localhost'))
  })
  if (unreached.length === 0) return
  const names = unreached.map(({ info }) => hideInAddress(info.header)).join(', ')
  console.warn(
    `petstore-mock: No request reaches ${names}, because the mock answers only ${bases.map(writeBaseUrl).join(', ')}. Change its baseUrl, or give the handler to msw: setupServer(...createHandlers(mock), handler).`,
  )
}

/** An operation below another base path at the page's own server, whose answer would be the page itself, or a 404. */
function isMissed(origin: string, pathname: string): boolean {
  const { location } = globalThis as { location?: { origin: string } }
  return origin === location?.origin && OPERATION_PATHS.some((path) => path.test(pathname))
}

const OPERATION_PATHS = OPERATIONS.map(({ path }) => new RegExp(`${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`))

/** Scripts, styles, images and fonts, by file extension, and the modules of a dev server. */
function isPageAsset(url: string): boolean {
  const { protocol, pathname } = new URL(url)
  return !/^https?:$/.test(protocol) || /\/node_modules\/|\/@vite\//.test(pathname) || ASSET.test(pathname)
}

const ASSET =
  /\.(?:[cm]?[jt]sx?|s?css|less|html?|json|map|wasm|xml|txt|csv|md|pdf|ttf|otf|woff2?|eot|gif|jpe?g|png|avif|webp|svg|ico|mp[34]|webm|og[gv]|mov|wav|flac|aac|zip|gz)$/i
