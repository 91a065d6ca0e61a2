import type { Call } from './stranger-rules.ts'
import { json } from './stranger-rules.ts'
import type { Stranger } from './stranger-service.ts'

const EVERY_OPERATION = '5: bearer authentication is applied to all operations'
const NO_VALID_KEY = '4.2, rule 2: when no valid bearer key is sent, then the response is 401'

/** Services that are wrong about keys. */
export const BROKEN_KEYS: readonly Stranger[] = [
  {
    name: 'the list takes any key, updates check it',
    because: EVERY_OPERATION,
    rules: (_, plain) => ({
      isAuthorized: (call) => (call.path === '/v1/inventory' ? tokenOf(call) !== '' : plain.isAuthorized(call)),
    }),
  },
  {
    name: 'named operations take any key',
    because: EVERY_OPERATION,
    rules: () => ({
      named(call) {
        return tokenOf(call) === '' ? this.fail(401, call) : json(200, '[]')
      },
    }),
  },
  {
    name: 'keys are compared without regard to case',
    because: NO_VALID_KEY,
    rules: ({ key }) => ({ isAuthorized: (call) => tokenOf(call).toLowerCase() === key.toLowerCase() }),
  },
  {
    name: 'a key may have anything behind it',
    because: NO_VALID_KEY,
    rules: ({ key }) => ({ isAuthorized: (call) => tokenOf(call).startsWith(key) }),
  },
  {
    name: 'the first eight characters of a key are enough',
    because: NO_VALID_KEY,
    rules: ({ key }) => ({ isAuthorized: (call) => tokenOf(call).slice(0, 8) === key.slice(0, 8) }),
  },
  {
    name: 'updates take the key as the user of Basic',
    because: '5: the scheme is HTTP bearer, applied to all operations',
    rules: ({ key }, plain) => ({
      isAuthorized: (call) => plain.isAuthorized(call) || (call.method === 'PATCH' && basicOf(call)[0] === key),
    }),
  },
  {
    name: 'updates take the key without a scheme',
    because: '5: Authorization: Bearer <API_KEY>',
    rules: ({ key }, plain) => ({
      isAuthorized: (call) =>
        plain.isAuthorized(call) || (call.method === 'PATCH' && call.headers.authorization === key),
    }),
  },
  {
    name: 'updates take the word Bearer for a key',
    because: NO_VALID_KEY,
    rules: (_, plain) => ({
      isAuthorized: (call) =>
        plain.isAuthorized(call) || (call.method === 'PATCH' && call.headers.authorization === 'Bearer'),
    }),
  },
  {
    name: 'the key is taken without a scheme',
    because: '5: Authorization: Bearer <API_KEY>',
    rules: ({ key }, plain) => ({
      isAuthorized: (call) => plain.isAuthorized(call) || call.headers.authorization === key,
    }),
  },
  {
    name: 'a connection that once had a key needs none',
    because: NO_VALID_KEY,
    rules: (_, plain) => {
      const known = new WeakSet<object>()
      return {
        isAuthorized(call) {
          if (plain.isAuthorized(call)) known.add(call.socket)
          return known.has(call.socket)
        },
      }
    },
  },
  {
    name: 'without a key there is a redirect to a login page',
    because: NO_VALID_KEY,
    rules: (_, plain) => ({
      guard: (call) =>
        plain.isAuthorized(call)
          ? undefined
          : { status: 302, headers: { location: '/login', 'content-type': 'text/html' }, body: '<p>Log in</p>' },
    }),
  },
]

function tokenOf({ headers }: Call): string {
  return /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}

function basicOf({ headers }: Call): readonly string[] {
  const encoded = /^Basic +(.+)$/i.exec(headers.authorization ?? '')?.[1]
  return Buffer.from(encoded ?? '', 'base64')
    .toString()
    .split(':')
}
