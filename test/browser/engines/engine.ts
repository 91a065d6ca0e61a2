import { pollFor } from './poll.ts'

/** The engines driven over their own protocols. Playwright drives Chromium. */
export const ENGINES = ['firefox', 'webkit'] as const
export type EngineName = (typeof ENGINES)[number] | 'chromium'

export interface Engine extends AsyncDisposable {
  readonly name: EngineName
  /** Opens a separate profile, with its own storage, caches and service workers. */
  newContext(): Promise<EngineContext>
  close(): Promise<void>
}

export interface EngineContext extends AsyncDisposable {
  /** Opens a window, because hidden tabs throttle timers. The pages of a context share storage and service workers. */
  newPage(): Promise<EnginePage>
  close(): Promise<void>
}

/** A CSS selector, or a function that finds the element in the page. The function cannot use outside variables. */
export type Target = string | (() => Element | null | undefined)

/** A window, driven over a protocol of its engine's. */
export abstract class EnginePage {
  abstract goto(url: string): Promise<void>
  abstract reload(): Promise<void>
  /**
   * Calls a function in the page. The function cannot use outside variables; its argument and result are sent as JSON.
   * @throws {Error} with the page's own message if the function throws.
   */
  abstract evaluate<Result, Argument = undefined>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>
  /** Calls a function in the page until the result is truthy. @throws {Error} after `timeout` ms, 15,000 by default. */
  waitFor<Result, Argument = undefined>(
    run: (argument: Argument) => Result | Promise<Result>,
    { argument, timeout }: { readonly argument?: Argument; readonly timeout?: number } = {},
  ): Promise<NonNullable<Result>> {
    return pollFor(() => this.evaluate(run, argument), { timeout, what: String(run) })
  }

  /** Waits until the element is shown and has stood still for a moment, and clicks its middle: one that moves can be missed. */
  async click(target: Target): Promise<void> {
    const source = typeof target === 'string' ? `() => document.querySelector(${JSON.stringify(target)})` : `${target}`
    const readPlace = new Function(`return JSON.stringify((${source})()?.getClientRects()[0])`) as () => string
    let before: string | undefined
    const isStill = async (): Promise<boolean> => {
      const place = await this.evaluate(readPlace)
      const stands = place !== undefined && place === before
      before = place
      return stands
    }
    await pollFor(isStill, { what: `${source} to stand still` })
    await this.press(target)
  }

  protected abstract press(target: Target): Promise<void>
  /** Waits for the element, selects its content, and types over it. */
  abstract fill(target: Target, text: string): Promise<void>
  /** Types into the focused element. Keys without a character are in `KEYS`. */
  async type(text: string): Promise<void> {
    const actions = Array.from(text).flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    await this.perform({ type: 'key', id: 'keyboard', actions })
  }

  /** Performs the actions of one input source: https://www.w3.org/TR/webdriver2/#actions */
  protected abstract perform(source: object): Promise<void>
  abstract setViewport(size: { readonly width: number; readonly height: number }): Promise<void>
}

/** Keys as WebDriver writes them: https://www.w3.org/TR/webdriver2/#keyboard-actions */
export const KEYS = {
  enter: '\uE007',
  escape: '\uE00C',
} as const
