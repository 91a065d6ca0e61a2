import type { BodyOf, ParamsOf, QueryOf, RouteName } from '../control/contract.ts'

/** The parts of a request that depend on its route. */
export interface RouteParts<Route extends RouteName> {
  /** The parameters of the path. */
  readonly params?: ParamsOf<Route>
  readonly query?: QueryOf<Route>
  readonly body?: BodyOf<Route>
}

interface RequestOptions<Route extends RouteName> extends Omit<RouteParts<Route>, 'body'> {
  /** The URL that `_mock/` is relative to. */
  readonly root: URL
  readonly sandbox: string
  readonly controlToken?: string | undefined
  /** The body as JSON text. */
  readonly json?: string | undefined
}

interface ControlRequest {
  readonly url: URL
  readonly init: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body?: string }
}

/**
 * The request to a route of the control API, for `connectMock` and the console, which imports nothing else of the mock.
 * @param route The method and path, as in `spec/control.openapi.yaml`.
 */
export function toControlRequest<Route extends RouteName>(
  route: Route,
  options: RequestOptions<Route>,
): ControlRequest {
  const { root, sandbox, controlToken, params = {}, query, json } = options
  const [method = '', path = ''] = route.split(' ')
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(Reflect.get(params, name))),
  )
  const url = new URL(`_mock${filled}?${new URLSearchParams({ sandbox, ...query })}`, root)
  const headers = {
    ...(controlToken !== undefined && { 'x-mock-control-token': controlToken }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
  }
  return { url, init: { method, headers, ...(json !== undefined && { body: json }) } }
}
