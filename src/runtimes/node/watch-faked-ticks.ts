import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'

/**
 * Says once why requests wait where a runner fakes what the interceptors call: `process.nextTick` for each new connection
 * of `node:http`, or `queueMicrotask` for each XMLHttpRequest of jsdom. Returns a function that stops watching.
 */
export function watchFakedTicks(): () => void {
  const tell = (faked: string, name: string): void => {
    stop()
    console.error(
      `petstore-mock: A request waits because ${faked} is faked. Leave it real: jest.useFakeTimers({ doNotFake: ['${name}'] }).`,
    )
  }
  const onCreated = (message: unknown): void => {
    const { request } = message as { readonly request: ClientRequest }
    if (isFaked(process.nextTick) && !request.reusedSocket) tell('process.nextTick', 'nextTick')
  }
  const prototype = globalThis.XMLHttpRequest?.prototype
  const open = prototype?.open
  function openWatched(this: XMLHttpRequest, ...parts: unknown[]): void {
    if (isFaked(queueMicrotask)) tell('queueMicrotask', 'queueMicrotask')
    open?.apply(this, parts as Parameters<XMLHttpRequest['open']>)
  }
  const stop = (): void => {
    unsubscribe('http.client.request.created', onCreated)
    if (prototype?.open === openWatched) prototype.open = open
  }
  subscribe('http.client.request.created', onCreated)
  if (prototype !== undefined) prototype.open = openWatched
  return stop
}

/** The functions of a runner's fake timers have their clock, also where they were faked before this module was loaded. */
const isFaked = (timer: object): boolean => 'clock' in timer
