/**
 * A value that is there, or one that is on its way. To await a value that is there costs a turn of the event loop's
 * queue and several objects, which the server feels, so what can be said at once is not made a promise.
 */
export type Awaitable<T> = T | Promise<T>

export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | undefined)?.then === 'function'
}

/** Goes on with the value: at once where it is there. */
export function whenReady<T, R>(value: Awaitable<T>, use: (value: T) => Awaitable<R>): Awaitable<R> {
  return isPromise(value) ? value.then(use) : use(value)
}
