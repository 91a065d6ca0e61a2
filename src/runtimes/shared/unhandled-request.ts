import { hideInAddress } from '../../http/hide-credentials.ts'

/** What happens to a request that is not for the mock: it goes to the network, with a warning, or it fails. */
export type UnhandledRequest = (typeof UNHANDLED_REQUEST)[number]

export const UNHANDLED_REQUEST = ['bypass', 'warn', 'error'] as const

/**
 * Says what the rule wants said of a request that is not for the mock; gives back the error that it is to fail with,
 * if any. What a page loads of its own, scripts and images among it, and the tunnel to a proxy go to the network
 * under any rule, as in msw.
 */
export function explainUnhandled(request: Request, rule: UnhandledRequest): Error | undefined {
  if (rule === 'bypass' || request.method === 'CONNECT') return undefined
  if (isPageAsset(request)) return undefined
  const what = `petstore-mock: ${request.method} ${hideInAddress(request.url)} is not for the mock`
  if (rule === 'warn') {
    console.warn(`${what}, and goes to the network. Set onUnhandledRequest to 'bypass' to have this unsaid.`)
    return undefined
  }
  const message = `${what}, and fails, as onUnhandledRequest 'error' asks for. Check the address, or set it to 'bypass'.`
  console.error(message)
  // Of the kind that fetch fails with where there is no network.
  return new TypeError(message)
}

/** Scripts, styles, pictures and the like, by the name in their URL, and the modules of a dev server. */
function isPageAsset({ url }: Request): boolean {
  const { protocol, pathname } = new URL(url)
  return protocol === 'file:' || /\/node_modules\/|\/@vite\//.test(pathname) || ASSET.test(pathname)
}

const ASSET =
  /\.(?:[cm]?[jt]sx?|s?css|less|html?|json|map|wasm|xml|txt|csv|md|pdf|ttf|otf|woff2?|eot|gif|jpe?g|png|avif|webp|svg|ico|mp[34]|webm|og[gv]|mov|wav|flac|aac|zip|gz)$/i
