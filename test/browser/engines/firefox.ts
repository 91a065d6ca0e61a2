import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../machine.ts'
import { type BidiConnection, connectBidi } from './bidi.ts'
import { type Engine, type EngineContext, EnginePage, type Target } from './engine.ts'
import { pollFor } from './poll.ts'
import { startProgram } from './program.ts'

/** Firefox of its own or Debian's ESR; `FIREFOX_PATH` names another. */
export function findFirefox(): string | undefined {
  return process.env['FIREFOX_PATH'] ?? findProgram('firefox-esr', 'firefox')
}

/** No request leaves this machine, and no browser UI interferes with a page. */
const PREFERENCES = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.no_proxies_on': 'localhost, 127.0.0.1, [::1], [::ffff:7f00:1]',
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  // Vitest's pages have more than one import map.
  'dom.multiple_import_maps.enabled': true,
  'dom.disable_open_during_load': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.enabled': false,
}

export async function startFirefox(file: string): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'petstore-mock-firefox-'))
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const program = startProgram(file, {
    args: ['--headless', '--remote-debugging-port=0', '--no-remote', '--profile', profile],
    env: { HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
  })
  const close = async (): Promise<void> => {
    await program.end()
    await rm(profile, { recursive: true, force: true })
  }
  try {
    const [, url] = await program.waitForOutput(/listening on (ws:\S+)/)
    const bidi = await connectBidi(`${url}/session`)
    await bidi.send('session.new', { capabilities: {} })
    return {
      name: 'firefox',
      newContext: () => openContext(bidi),
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function openContext(bidi: BidiConnection): Promise<EngineContext> {
  const { userContext } = await bidi.send<{ userContext: string }>('browser.createUserContext')
  const close = async (): Promise<void> => void (await bidi.send('browser.removeUserContext', { userContext }))
  return {
    async newPage() {
      const { context } = await bidi.send<{ context: string }>('browsingContext.create', {
        type: 'window',
        userContext,
      })
      return new FirefoxPage(bidi, context)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface Evaluated {
  readonly type: 'success' | 'exception'
  readonly result?: { readonly type: string; readonly value?: unknown; readonly sharedId?: string }
  readonly exceptionDetails?: { readonly text: string }
}

class FirefoxPage extends EnginePage {
  readonly #bidi: BidiConnection
  readonly #context: string

  constructor(bidi: BidiConnection, context: string) {
    super()
    this.#bidi = bidi
    this.#context = context
  }

  async goto(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { url, wait: 'complete' })
  }

  async reload(): Promise<void> {
    await this.#send('browsingContext.reload', { wait: 'complete' })
  }

  async evaluate<Result, Argument = undefined>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result> {
    const value = argument === undefined ? 'undefined' : JSON.stringify(argument)
    const json = await this.#call(`async () => JSON.stringify(await (${run})(${value}))`)
    return json?.value === undefined ? (undefined as Result) : JSON.parse(String(json.value))
  }

  protected async press(target: Target): Promise<void> {
    const origin = { type: 'element', element: { sharedId: await this.#find(target) } }
    await this.perform({
      type: 'pointer',
      id: 'mouse',
      actions: [
        { type: 'pointerMove', x: 0, y: 0, origin },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    })
  }

  async fill(target: Target, text: string): Promise<void> {
    const sharedId = await this.#find(target)
    await this.#call('(field) => { field.focus(); field.select() }', [{ sharedId }])
    await this.type(text)
  }

  async setViewport(viewport: { readonly width: number; readonly height: number }): Promise<void> {
    await this.#send('browsingContext.setViewport', { viewport })
  }

  #send<Result = unknown>(method: string, params: object = {}): Promise<Result> {
    return this.#bidi.send<Result>(method, { context: this.#context, ...params })
  }

  protected async perform(source: object): Promise<void> {
    await this.#send('input.performActions', { actions: [source] })
  }

  #find(target: Target): Promise<string> {
    const source = typeof target === 'string' ? `() => document.querySelector(${JSON.stringify(target)})` : `${target}`
    const inView = `() => { const found = (${source})(); found?.scrollIntoView({ block: 'center', behavior: 'instant' }); return found }`
    return pollFor(async () => (await this.#call(inView))?.sharedId, { what: source })
  }

  async #call(functionDeclaration: string, args: readonly object[] = []): Promise<Evaluated['result']> {
    const { type, result, exceptionDetails } = await this.#bidi.send<Evaluated>('script.callFunction', {
      functionDeclaration,
      arguments: args,
      awaitPromise: true,
      target: { context: this.#context },
      userActivation: true,
    })
    if (type === 'exception') throw new Error(exceptionDetails?.text)
    return result
  }
}
