import { Interceptor } from '@mswjs/interceptors'
import type { RequestHandler } from 'msw'
import { type DefineNetworkOptions, defineNetwork, InterceptorSource } from 'msw/experimental'

type SourceInterceptors = ConstructorParameters<typeof InterceptorSource>[0]['interceptors']

/** What is intercepted, and by whom it is answered. */
export interface InterceptionSettings {
  /** Classes of `@mswjs/interceptors`. All mocks share one of each: a global is replaced once, and given back by the last. */
  readonly classes: readonly unknown[]
  readonly handlers: readonly RequestHandler[]
  readonly onUnhandledFrame: NonNullable<DefineNetworkOptions<[]>['onUnhandledFrame']>
}

/**
 * Answers requests where they are made, without a network between; gives back what ends it. More than one call of that
 * does no harm.
 * @throws {Error} of msw's where somebody else has taken the globals; they stay with him.
 */
export function intercept({ classes, handlers, onUnhandledFrame }: InterceptionSettings): () => void {
  const interceptors = (classes as readonly (typeof Interceptor)[]).map((each) => Interceptor.singleton(each as never))
  const network = defineNetwork({
    sources: [new InterceptorSource({ interceptors: interceptors as SourceInterceptors })],
    handlers: [...handlers],
    onUnhandledFrame,
    context: { quiet: true },
  })
  let isOn = true
  const stop = (): void => {
    if (isOn) network.disable()
    isOn = false
  }
  try {
    network.enable()
    return stop
  } catch (error) {
    stop()
    throw error
  }
}
