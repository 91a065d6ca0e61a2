/**
 * A value or a promise of one. Awaiting a value that is already there costs a microtask and several allocations, which
 * measurably slows the server, so synchronous results stay synchronous.
 */
export type Awaitable<T> = T | Promise<T>

export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | undefined)?.then === 'function'
}

/** Calls `use` with the value: synchronously if it is not a promise. */
export function whenReady<T, R>(value: Awaitable<T>, use: (value: T) => Awaitable<R>): Awaitable<R> {
  return isPromise(value) ? value.then(use) : use(value)
}
