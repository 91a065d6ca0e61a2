import type { Browser, ElementHandle, Page } from 'playwright'
import { type Engine, EnginePage, KEYS, type Target } from './engine.ts'
import { pollFor } from './poll.ts'

/** Chromium, driven by Playwright, for a story that is told in every engine. */
export function toEngine(browser: Browser): Engine {
  const close = (): Promise<void> => browser.close()
  return {
    name: 'chromium',
    async newContext() {
      const context = await browser.newContext()
      const close = (): Promise<void> => context.close()
      return { newPage: async () => new ChromiumPage(await context.newPage()), close, [Symbol.asyncDispose]: close }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

class ChromiumPage extends EnginePage {
  readonly #page: Page

  constructor(page: Page) {
    super()
    this.#page = page
  }

  goto = async (url: string): Promise<void> => void (await this.#page.goto(url))
  reload = async (): Promise<void> => void (await this.#page.reload())
  setViewport = (size: { width: number; height: number }): Promise<void> => this.#page.setViewportSize(size)

  evaluate<Result, Argument = undefined>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result> {
    return this.#page.evaluate(`(${run})(${JSON.stringify(argument)})`)
  }

  protected press = async (target: Target): Promise<void> => (await this.#find(target)).click()
  fill = async (target: Target, text: string): Promise<void> => (await this.#find(target)).fill(text)

  protected async perform({ actions }: { actions: readonly { type: string; value: string }[] }): Promise<void> {
    const names = Object.entries(KEYS).map(([name, key]) => [key, `${name[0]?.toUpperCase()}${name.slice(1)}`] as const)
    for (const { type, value } of actions) {
      if (type === 'keyDown') await this.#page.keyboard.press(new Map<string, string>(names).get(value) ?? value)
    }
  }

  #find(target: Target): Promise<ElementHandle> {
    const source = typeof target === 'string' ? `document.querySelector(${JSON.stringify(target)})` : `(${target})()`
    const find = async () => (await this.#page.evaluateHandle<unknown>(source)).asElement() as ElementHandle | null
    return pollFor(find, { what: source })
  }
}
