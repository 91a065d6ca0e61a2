import { hideInAddress } from '../../http/hide-credentials.ts'

/** What to do with a request that is not for the mock: send it to the network, silently or with a warning, or fail it. */
export type UnhandledRequest = (typeof UNHANDLED_REQUEST)[number]

export const UNHANDLED_REQUEST = ['bypass', 'warn', 'error'] as const

/**
 * Logs a request that is not for the mock, as the rule demands, and returns the error to fail it with, if any. A page's
 * own files, such as scripts and images, and CONNECT to a proxy always go to the network, as in msw.
 */
export function explainUnhandled(request: Request, rule: UnhandledRequest): Error | undefined {
  if (rule === 'bypass' || request.method === 'CONNECT') return undefined
  if (isPageAsset(request)) return undefined
  const what = `petstore-mock: ${request.method} ${hideInAddress(request.url)} is not for the mock`
  if (rule === 'warn') {
    console.warn(`${what} and goes to the network. Set onUnhandledRequest to 'bypass' to silence this warning.`)
    return undefined
  }
  const message = `${what} and fails because onUnhandledRequest is 'error'. Check the URL, or set the option to 'bypass'.`
  console.error(message)
  // The kind of error that fetch throws without a network.
  return new TypeError(message)
}

/** Scripts, styles, images and fonts, by file extension, and the modules of a dev server. */
function isPageAsset({ url }: Request): boolean {
  const { protocol, pathname } = new URL(url)
  return protocol === 'file:' || /\/node_modules\/|\/@vite\//.test(pathname) || ASSET.test(pathname)
}

const ASSET =
  /\.(?:[cm]?[jt]sx?|s?css|less|html?|json|map|wasm|xml|txt|csv|md|pdf|ttf|otf|woff2?|eot|gif|jpe?g|png|avif|webp|svg|ico|mp[34]|webm|og[gv]|mov|wav|flac|aac|zip|gz)$/i
