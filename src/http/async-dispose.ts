/**
 * The method name that `await using` calls. WebKit has no `Symbol.asyncDispose` yet, and compilers fall back to this
 * registered symbol there; without the fallback the method would be named "undefined".
 */
export const ASYNC_DISPOSE: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')
