import * as v from 'valibot'
import { CONTROL_PATH, isControlPath } from './control-path.ts'
import { oneOrMany, readAs, type Schema } from './schema.ts'

/** The base URL of the service. */
export interface BaseUrl {
  /** `undefined` matches every origin. */
  readonly origin: string | undefined
  /** Without a trailing slash; empty for the root. */
  readonly path: string
}

/** The base URLs of the service. Links and logs use the first one. */
export type BaseUrls = readonly [BaseUrl, ...BaseUrl[]]

/** The base URL in the specification. */
export const DEFAULT_BASE_URL = '/v1'

/** Parses an http address, or only a path. @internal */
export const BASE_URL: Schema<BaseUrl> = readAs(
  readBaseUrl,
  `an http address or a path that starts with /, without a query, and not below ${CONTROL_PATH}`,
)

/** Parses one base URL or a list of them into a list. @internal */
export const BASE_URLS: Schema<BaseUrls> = v.pipe(
  oneOrMany(BASE_URL),
  v.transform((bases) => [bases].flat()),
  v.nonEmpty('is empty. Give at least one address'),
  v.transform((bases) => bases as [BaseUrl, ...BaseUrl[]]),
)

const PROTOCOLS: readonly string[] = ['http:', 'https:']

/** `undefined` for a value that is none. */
export function readBaseUrl(value: unknown): BaseUrl | undefined {
  const text = typeof value === 'string' ? value : ''
  const isPath = text.startsWith('/') && !text.startsWith('//')
  const url = URL.parse(isPath ? `http://localhost${text}` : text)
  if (url === null || !PROTOCOLS.includes(url.protocol) || url.search !== '' || url.hash !== '') return undefined
  const path = withoutEndSlashes(url.pathname)
  return isControlPath(path) ? undefined : { origin: isPath ? undefined : url.origin, path }
}

export function withoutEndSlashes(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '')
}

/** The base URLs that a service's URL can mean. Without a path, they are `/v1` and then the root. */
export function toBaseUrls({ origin, pathname }: URL): readonly [string, string?] {
  const path = withoutEndSlashes(pathname)
  return path === '' ? [origin + DEFAULT_BASE_URL, origin] : [origin + path]
}

/** Whether a request to this address is for the mock. Some runtimes also see requests to other servers. */
export function isCovered({ origin, pathname }: URL, bases: BaseUrls): boolean {
  return bases.some(
    (base) =>
      (base.origin === undefined || base.origin === origin) &&
      (pathname === base.path || isBelow([base], pathname) || isControlPath(pathname)),
  )
}

/** Whether some address belongs to both lists. */
export function overlap(ones: BaseUrls, others: BaseUrls): boolean {
  const isWithin = (inner: BaseUrl, outer: BaseUrl): boolean => `${inner.path}/`.startsWith(`${outer.path}/`)
  return ones.some((one) =>
    others.some(
      (other) =>
        (one.origin === undefined || other.origin === undefined || one.origin === other.origin) &&
        (isWithin(one, other) || isWithin(other, one)),
    ),
  )
}

export function isBelow(bases: BaseUrls, pathname: string): boolean {
  return bases.some(({ path }) => pathname.startsWith(`${path}/`))
}

/** Removes the longest base path that matches, whatever the origin. `undefined` for a path outside all base paths. */
export function toPathBelow(bases: BaseUrls, pathname: string): string | undefined {
  let longest = -1
  for (const { path } of bases) if (path.length > longest && pathname.startsWith(`${path}/`)) longest = path.length
  return longest === -1 ? undefined : pathname.slice(longest)
}

/** The `url` for `servers` in an OpenAPI document. */
export function writeBaseUrl({ origin = '', path }: BaseUrl): string {
  return origin + path || '/'
}
