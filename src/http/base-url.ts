import { MockError } from './mock-error.ts'
import { quote } from './quote.ts'

/** Where the service lies. */
export interface BaseUrl {
  /** `undefined` stands for every origin. */
  readonly origin: string | undefined
  /** Without a slash at its end; empty for the root. */
  readonly path: string
}

/** Where the service lies unless something else is said: as the specification has it. */
export const DEFAULT_BASE_URL = '/v1'

/**
 * Reads an http address or a path alone.
 * @throws {MockError} `INVALID_OPTION` naming `place`.
 */
export function parseBaseUrl(baseUrl: unknown, place: string): BaseUrl {
  const text = typeof baseUrl === 'string' ? baseUrl : ''
  const isPath = text.startsWith('/') && !text.startsWith('//')
  const url = URL.parse(isPath ? `http://localhost${text}` : text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new MockError(
      'INVALID_OPTION',
      `${place} must be an http address or a path that starts with /, got ${quote(baseUrl)}.`,
    )
  }
  return { origin: isPath ? undefined : url.origin, path: url.pathname.replace(/\/+$/, '') }
}

/** As an OpenAPI document names it in `servers`. */
export function writeBaseUrl({ origin = '', path }: BaseUrl): string {
  return origin + path || '/'
}
