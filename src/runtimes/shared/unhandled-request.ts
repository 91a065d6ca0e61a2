import * as v from 'valibot'
import { isLoopback, writeBaseUrl } from '../../http/base-url.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { callback, oneOf, type Schema } from '../../http/schema.ts'
import type { Target } from './target.ts'

/** What to do with a request that is not for the mock. */
export type UnhandledRequest = (typeof RULES)[number] | UnhandledRequestCallback

/**
 * Sends the request to the network, unless it throws. `print.warning()` logs what `warn` does; `print.error()` logs what
 * `error` does, and fails the request.
 */
export type UnhandledRequestCallback = (
  request: Request,
  print: { readonly warning: () => void; readonly error: () => never },
) => void

/** Options of `interceptRequests`, which a worker has, too. */
export interface InterceptOptions {
  /**
   * What to do with a request that is not for the mock: send it to the network (`bypass`, or `warn` with one warning for
   * each address), or fail it (`error`). A function decides for each request.
   * @default `warn`, but not of scripts, images and other assets, nor of other servers on this machine
   */
  readonly onUnhandledRequest?: UnhandledRequest
}

const RULES = ['bypass', 'warn', 'error'] as const

/** @internal */
export const UNHANDLED_REQUEST: Schema<UnhandledRequest> = v.lazy(
  (rule): Schema<UnhandledRequest> => (typeof rule === 'function' ? callback() : oneOf(RULES)),
)

/**
 * Creates the function that logs a request that is not for the mock, and returns the error to fail it with, if any. A
 * page's own files, such as scripts and images, and CONNECT to a proxy always go to the network, as in msw.
 * @param rule `undefined` warns, but not of other servers on this machine.
 */
export function createUnhandledRule(
  rule: UnhandledRequest | undefined,
  { bases, origin: remote }: Pick<Target, 'bases' | 'origin'>,
): (request: Request) => Error | undefined {
  const told = new Set<string>()
  const explain = ({ method, url }: Request): string =>
    `petstore-mock: ${method} ${hideInAddress(url)} is not for the mock, which answers ${bases.map(writeBaseUrl).join(', ')}`
  const warn = (request: Request): undefined => {
    const { origin, pathname } = new URL(request.url)
    if (told.has(origin + pathname)) return
    told.add(origin + pathname)
    console.warn(
      `${explain(request)}. It goes to the network. Check its URL and the mock's baseUrl, or set onUnhandledRequest to 'bypass' to silence this warning.`,
    )
  }
  const fail = (request: Request): Error => {
    const message = `${explain(request)}. It fails because onUnhandledRequest is 'error'. Check the URL, or set the option to 'bypass'.`
    console.error(message)
    // The kind of error that fetch throws without a network.
    return new TypeError(message)
  }
  const ask = (decide: UnhandledRequestCallback, request: Request): Error | undefined => {
    const error = (): never => {
      throw fail(request)
    }
    try {
      decide(request.clone(), { warning: () => warn(request), error })
      return undefined
    } catch (thrown) {
      return thrown as Error
    }
  }
  return (request) => {
    if (request.method === 'CONNECT' || new URL(request.url).origin === remote) return undefined
    if (typeof rule === 'function') return ask(rule, request)
    if (rule === 'bypass' || isPageAsset(request)) return undefined
    if (rule === 'error') return fail(request)
    return rule === undefined && isLoopback(new URL(request.url).hostname) ? undefined : warn(request)
  }
}

/** Scripts, styles, images and fonts, by file extension, and the modules of a dev server. */
function isPageAsset({ url }: Request): boolean {
  const { protocol, pathname } = new URL(url)
  return !/^https?:$/.test(protocol) || /\/node_modules\/|\/@vite\//.test(pathname) || ASSET.test(pathname)
}

const ASSET =
  /\.(?:[cm]?[jt]sx?|s?css|less|html?|json|map|wasm|xml|txt|csv|md|pdf|ttf|otf|woff2?|eot|gif|jpe?g|png|avif|webp|svg|ico|mp[34]|webm|og[gv]|mov|wav|flac|aac|zip|gz)$/i
