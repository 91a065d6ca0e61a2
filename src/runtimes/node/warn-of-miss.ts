import { type BaseUrls, toPathBelow, writeBaseUrl } from '../../http/base-url.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { matchOperation } from '../../operations/operations.ts'

/**
 * Creates a function that warns of the first request that goes to the network, but looks like one for the mock: its path
 * is that of an operation, with another origin or without the base path.
 */
export function createMissWarning(bases: BaseUrls): (request: Request) => undefined {
  let hasWarned = false
  return ({ method, url }) => {
    if (hasWarned || !isOperationPath(method, { pathname: new URL(url).pathname, bases })) return
    hasWarned = true
    console.warn(
      `petstore-mock: ${method} ${hideInAddress(url)} goes to the network. The mock answers ${bases.map(writeBaseUrl).join(', ')}. Set its baseUrl, or onUnhandledRequest to 'bypass' to silence this warning.`,
    )
  }
}

function isOperationPath(
  method: string,
  { pathname, bases }: { readonly pathname: string; readonly bases: BaseUrls },
): boolean {
  return [pathname, toPathBelow(bases, pathname)].some((path) => {
    const match = matchOperation(method, path)
    return match.kind === 'found' && match.route.specified
  })
}
