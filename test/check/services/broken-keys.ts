import { type Call, createCounter, define, defineLasting, isNamed, refuseAs } from './plain-service.ts'

/** "5: Bearer authentication is applied to all operations", and "when no valid bearer key is sent, then the response is 401". */
export const BROKEN_KEYS = {
  'any-key': define('Any bearer token is accepted.', () => ({ isKey: (token) => token !== undefined })),
  'key-in-query': define('The key is also accepted from the query.', (base) => ({
    toToken: (call) => base.toToken(call) ?? [...call.query.values()].find((value) => value === base.apiKey),
  })),
  'key-from-basic': define('The key is also accepted as the user or password of Basic.', (base) => ({
    toToken: (call) => base.toToken(call) ?? toBasic(call).find((part) => part === base.apiKey),
  })),
  'update-key-from-basic': define('Updates also take the key as the user of Basic.', (base) => ({
    toToken: (call) => base.toToken(call) ?? (call.method === 'PATCH' ? toBasic(call)[0] : undefined),
  })),
  'update-key-without-scheme': define('Updates also take the key without a scheme.', (base) => ({
    toToken: (call) => base.toToken(call) ?? (call.method === 'PATCH' ? call.headers.authorization : undefined),
  })),
  'update-word-bearer': define('Updates take the word Bearer for a key.', (base) => ({
    checkKey: (call) => !(call.method === 'PATCH' && call.headers.authorization === 'Bearer') && base.checkKey(call),
  })),
  'key-in-any-case': define('Keys are compared without regard to case.', (base) => ({
    isKey: (token) => token?.toLowerCase() === base.apiKey.toLowerCase(),
  })),
  'key-with-more': define('A key may have anything behind it.', (base) => ({
    isKey: (token) => token?.startsWith(base.apiKey) === true,
  })),
  'key-eight-characters': define('The first eight characters of a key are enough.', (base) => ({
    isKey: (token) => token?.slice(0, 8) === base.apiKey.slice(0, 8),
  })),
  'key-of-connection': define('A connection that once had a key needs none.', (base) => {
    const known = new WeakSet<object>()
    return {
      checkKey: (call) => {
        if (base.isKey(base.toToken(call))) known.add(call.socket)
        if (!known.has(call.socket)) base.checkKey(call)
      },
    }
  }),
  'list-any-key': define('The list takes any key, and updates check it.', (base) => ({
    checkKey: (call) => (call.method === 'PATCH' || base.toToken(call) === undefined) && base.checkKey(call),
  })),
  'named-any-key': define('The operations that are only named take any key.', (base) => ({
    route: (call) => {
      if (!isNamed(call)) return base.route(call)
      if (base.toToken(call) === undefined) base.checkKey(call)
      return { status: 200, body: '[]' }
    },
  })),
  'any-scheme': define('The key is accepted with any scheme, and without one.', () => ({
    toToken: (call) => call.headers.authorization?.split(' ').at(-1),
  })),
  'list-public': define('The list needs no key.', (base) => ({
    checkKey: (call) => call.method === 'PATCH' && base.checkKey(call),
  })),
  'update-public': define('Updates need no key.', (base) => ({
    checkKey: (call) => call.method !== 'PATCH' && base.checkKey(call),
  })),
  // "When no valid bearer key is sent, then the response is 401", and without a key nobody should learn which pets exist.
  'key-after-lookup': define('Without a key, an unknown pet gets a 404.', (base, service) => ({
    checkKey: (call) => {
      const id = service.match(call.path)?.[1]
      if (id !== undefined) service.find(id)
      base.checkKey(call)
    },
  })),
  'key-after-write': define('A refused key gets its 401 after the update was made.', (base) => ({
    checkKey: (call) => call.method !== 'PATCH' && base.checkKey(call),
    update: async (id, call) => {
      const reply = await base.update(id, call)
      base.checkKey(call)
      return reply
    },
  })),
  'wrong-key-403': define('A wrong key gets a 403; only a missing one gets a 401.', refuseAs(403, /wrong_key/)),
  'key-flaky': define('The instance of every seventh request does not know the key.', (base) => {
    const count = createCounter()
    return { isKey: (token) => count() % 7 !== 0 && base.isKey(token) }
  }),
  // "How a key is issued and its lifetime: not shown." But a run whose key expires cannot end with "it conforms".
  'key-expires': defineLasting('The key expires after 25 requests.', (base) => {
    const count = createCounter()
    return { isKey: (token) => count() <= 25 && base.isKey(token) }
  }),
}

function toBasic({ headers }: Call): readonly string[] {
  const [, encoded = ''] = /^basic +(.*)$/i.exec(headers.authorization ?? '') ?? []
  return Buffer.from(encoded, 'base64').toString().split(':')
}
