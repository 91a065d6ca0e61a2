/**
 * The key that `await using` looks for. WebKit has no such symbol yet; there compilers agree on this one instead, and
 * without it the key would be "undefined".
 */
export const ASYNC_DISPOSE: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')
