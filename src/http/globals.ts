// Taken when the mock loads: a test runner's fake timers would stop it, an interceptor would send its own requests back to
// it, and frameworks such as Next.js have a `fetch` that caches.

export const fetch: typeof globalThis.fetch = globalThis.fetch
export const setTimeout: typeof globalThis.setTimeout = globalThis.setTimeout
export const clearTimeout: typeof globalThis.clearTimeout = globalThis.clearTimeout
export const setInterval: typeof globalThis.setInterval = globalThis.setInterval
export const clearInterval: typeof globalThis.clearInterval = globalThis.clearInterval
export const performance: typeof globalThis.performance = globalThis.performance
export const readSystemTime: () => number = Date.now

/** Calls back when all microtasks have run. Only Node has its own, where `setTimeout(…, 0)` would take a millisecond. */
export const setImmediate: (callback: () => void) => unknown =
  (globalThis as { setImmediate?: (callback: () => void) => unknown }).setImmediate ??
  ((callback) => setTimeout(callback, 0))

/** The method name that `await using` calls. WebKit has none yet, where compilers fall back to this registered symbol. */
export const ASYNC_DISPOSE: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')
