import * as v from 'valibot'
import { type BaseUrls, isLoopback, writeBaseUrl } from '../../http/base-url.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { callback, oneOf, type Schema } from '../../http/schema.ts'

/**
 * What to do with a request that is not for the mock: send it to the network, silently (`bypass`) or with one warning per
 * address (`warn`), or fail it (`error`). A function decides for each request, as in msw.
 */
export type UnhandledRequest = (typeof RULES)[number] | UnhandledRequestCallback

/**
 * Sends the request to the network, unless it throws. `print.warning()` logs what `warn` does; `print.error()` logs what
 * `error` does, and fails the request.
 */
export type UnhandledRequestCallback = (
  request: Request,
  print: { readonly warning: () => void; readonly error: () => never },
) => void

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
  bases: BaseUrls,
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
    if (request.method === 'CONNECT') return undefined
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
