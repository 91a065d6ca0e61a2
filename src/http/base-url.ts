import * as v from 'valibot'
import { CONTROL_PATH, isControlPath } from './router.ts'
import { oneOrMany, readAs, type Schema } from './schema.ts'

/** Where the service lies. */
export interface BaseUrl {
  /** `undefined` stands for every origin. */
  readonly origin: string | undefined
  /** Without a slash at its end; empty for the root. */
  readonly path: string
}

/** The first one is the mock's own: its links and its logs name it. */
export type BaseUrls = readonly [BaseUrl, ...BaseUrl[]]

/** Where the service lies unless something else is said: as the specification has it. */
export const DEFAULT_BASE_URL = '/v1'

/** An http address, or a path alone. */
export const BASE_URL: Schema<BaseUrl> = v.pipe(
  readAs(readBaseUrl, 'an http address or a path that starts with /'),
  v.check(({ path }) => !isControlPath(path), `lies below ${CONTROL_PATH}, where the control API is`),
)

/** One base URL or a list of them, as a list. */
export const BASE_URLS: Schema<BaseUrls> = v.pipe(
  oneOrMany(BASE_URL),
  v.transform((bases) => [bases].flat()),
  v.nonEmpty('is empty. Give at least one address'),
  v.transform((bases) => bases as [BaseUrl, ...BaseUrl[]]),
)

function readBaseUrl(value: unknown): BaseUrl | undefined {
  const text = typeof value === 'string' ? value : ''
  const isPath = text.startsWith('/') && !text.startsWith('//')
  const url = URL.parse(isPath ? `http://localhost${text}` : text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return undefined
  return { origin: isPath ? undefined : url.origin, path: url.pathname.replace(/\/+$/, '') }
}

/** Whether a request to this address is for the mock, in a runtime that sees those to others too. */
export function isCovered({ origin, pathname }: URL, bases: BaseUrls): boolean {
  return bases.some(
    (base) =>
      (base.origin === undefined || base.origin === origin) &&
      (pathname === base.path || isBelow([base], pathname) || isControlPath(pathname)),
  )
}

export function isBelow(bases: BaseUrls, pathname: string): boolean {
  return bases.some(({ path }) => pathname.startsWith(`${path}/`))
}

/**
 * The path below the longest base path that it lies in, at whatever origin; a path outside all of them stays as it is
 * and leads nowhere.
 */
export function toPathBelow(bases: BaseUrls, pathname: string): string {
  let longest = -1
  for (const { path } of bases) if (path.length > longest && pathname.startsWith(`${path}/`)) longest = path.length
  return longest === -1 ? `//${pathname}` : pathname.slice(longest)
}

/** As an OpenAPI document names it in `servers`. */
export function writeBaseUrl({ origin = '', path }: BaseUrl): string {
  return origin + path || '/'
}
