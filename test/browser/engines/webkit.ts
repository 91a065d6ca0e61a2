import { randomInt } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../machine.ts'
import { type Engine, type EngineContext, EnginePage, type Target } from './engine.ts'
import { pollFor } from './poll.ts'
import { startProgram } from './program.ts'

/** What WebKitGTK needs to run without a screen. */
export interface WebKitFiles {
  readonly driver: string
  readonly browser: string
  readonly xvfb: string
}

export function findWebKit(): WebKitFiles | undefined {
  const driver = findProgram('WebKitWebDriver')
  const xvfb = findProgram('Xvfb')
  const [browser] = globSync(['/usr/lib/*/webkit*gtk-*/MiniBrowser', '/usr/libexec/webkit*gtk-*/MiniBrowser'])
  return driver && xvfb && browser ? { driver, xvfb, browser } : undefined
}

/** One screen for all contexts, each of which is a browser of its own, since a driver has one session. */
export async function startWebKit({ xvfb, ...files }: WebKitFiles): Promise<Engine> {
  const contexts = new Set<EngineContext>()
  const screen = startProgram(xvfb, {
    args: ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
  })
  const close = async (): Promise<void> => {
    await Promise.all(Array.from(contexts, (context) => context.close()))
    await screen.end()
  }
  const [, display] = await screen.waitForOutput(/^(\d+)\n/m).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    name: 'webkit',
    async newContext() {
      const opened = await openContext({ ...files, display: `:${display}` })
      const context = {
        ...opened,
        async close() {
          if (contexts.delete(context)) await opened.close()
        },
        [Symbol.asyncDispose]: () => context.close(),
      }
      contexts.add(context)
      return context
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface ContextSetup extends Omit<WebKitFiles, 'xvfb'> {
  readonly display: string
}

async function openContext({ driver, browser, display }: ContextSetup): Promise<EngineContext> {
  const home = await mkdtemp(join(tmpdir(), 'petstore-mock-webkit-'))
  // If two drivers were given one port, the second would exit, and the first would take the commands for both.
  const host = ['127', randomInt(256), randomInt(256), randomInt(1, 255)].join('.')
  const port = await findPort(host)
  const program = startProgram(driver, {
    args: [`--host=${host}`, `--port=${port}`],
    env: {
      DISPLAY: display,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      // No settings, helpers or graphics card of this machine.
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      GSETTINGS_BACKEND: 'memory',
      LIBGL_ALWAYS_SOFTWARE: '1',
      NO_AT_BRIDGE: '1',
    },
  })
  const close = async (): Promise<void> => {
    await program.end()
    await rm(home, { recursive: true, force: true })
  }
  try {
    const address = `http://${host}:${port}`
    await pollFor(() => fetch(`${address}/status`), { what: 'WebKitWebDriver', timeout: 30_000 })
    const session = await createSession(address, {
      'webkitgtk:browserOptions': { binary: browser, args: ['--automation', ...NO_NETWORK] },
    })
    const send = takeTurns(session)
    let first: string | undefined = await session.send<string>('GET', '/window')
    return {
      async newPage() {
        if (first !== undefined) {
          const page = new WebKitPage(send, first)
          first = undefined
          return page
        }
        const { handle } = await session.send<{ handle: string }>('POST', '/window/new', { type: 'window' })
        return new WebKitPage(send, handle)
      },
      async close() {
        await session.send('DELETE', '').catch(() => {})
        await close()
      },
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** No request leaves this machine. */
const NO_NETWORK = [
  '--proxy=http://127.0.0.1:9',
  ...['localhost', '127.0.0.0/8', '::1', '::ffff:127.0.0.1'].map((host) => `--ignore-host=${host}`),
]

/** A driver takes the number of a port, and cannot choose a free one itself. */
function findPort(host: string): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, host, () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

type Send = (window: string, run: (session: WebDriverSession) => Promise<unknown>) => Promise<unknown>

/** A command goes to the window that was switched to last: so those for two windows wait for each other. */
function takeTurns(session: WebDriverSession): Send {
  let current: string | undefined
  let last: Promise<unknown> = Promise.resolve()
  return (window, run) => {
    const turn = last.then(async () => {
      if (current !== window) await session.send('POST', '/window', { handle: window })
      current = window
      return run(session)
    })
    last = turn.catch(() => {})
    return turn
  }
}

class WebKitPage extends EnginePage {
  readonly #sendTo: Send
  readonly #window: string

  constructor(send: Send, window: string) {
    super()
    this.#sendTo = send
    this.#window = window
  }

  async goto(url: string): Promise<void> {
    await this.#send('/url', { url })
  }

  async reload(): Promise<void> {
    await this.#send('/refresh')
  }

  async evaluate<Result, Argument = undefined>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result> {
    const value = argument === undefined ? 'undefined' : JSON.stringify(argument)
    const script = `const done = arguments[arguments.length - 1]
      Promise.resolve().then(() => (${run})(${value})).then(
        (result) => done({ json: JSON.stringify(result) }),
        (error) => done({ error: String(error) + '\\n' + error?.stack }),
      )`
    const { json, error } = await this.#send<{ json?: string; error?: string }>('/execute/async', { script, args: [] })
    if (error !== undefined) throw new Error(error)
    return json === undefined ? (undefined as Result) : JSON.parse(json)
  }

  protected async press(target: Target): Promise<void> {
    // The element may be in the page before it has its place there, and is then not interactable yet.
    const click = async (): Promise<true> => {
      await this.#send(`/element/${await this.#find(target)}/click`)
      return true
    }
    await pollFor(click, { what: `a click on ${target}` })
  }

  async fill(target: Target, text: string): Promise<void> {
    const element = await this.#find(target)
    const args = [{ [ELEMENT]: element }]
    await this.#send('/execute/sync', { script: 'arguments[0].focus(); arguments[0].select()', args })
    await this.type(text)
  }

  protected async perform(source: object): Promise<void> {
    await this.#send('/actions', { actions: [source] })
  }

  async setViewport({ width, height }: { readonly width: number; readonly height: number }): Promise<void> {
    const frame = await this.evaluate(() => ({ x: outerWidth - innerWidth, y: outerHeight - innerHeight }))
    await this.#send('/window/rect', { width: width + frame.x, height: height + frame.y })
  }

  async #send<Result = unknown>(path: string, body?: object): Promise<Result> {
    return (await this.#sendTo(this.#window, (session) => session.send('POST', path, body))) as Result
  }

  #find(target: Target): Promise<string> {
    const source = typeof target === 'string' ? `() => document.querySelector(${JSON.stringify(target)})` : `${target}`
    const script = `return (${source})()`
    const find = (): Promise<Record<string, string> | null> => this.#send('/execute/sync', { script, args: [] })
    return pollFor(async () => (await find())?.[ELEMENT], { what: source })
  }
}

/** A session that speaks WebDriver over HTTP: https://www.w3.org/TR/webdriver2/ */
interface WebDriverSession {
  send<Result = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Result>
}

/** The name under which WebDriver sends an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

async function createSession(driver: string, capabilities: object): Promise<WebDriverSession> {
  const body = { capabilities: { alwaysMatch: capabilities } }
  const { sessionId } = await sendCommand<{ sessionId: string }>(`${driver}/session`, { method: 'POST', body })
  return {
    send: (method, path, body) => sendCommand(`${driver}/session/${sessionId}${path}`, { method, body }),
  }
}

interface Command {
  readonly method: string
  readonly body?: object | undefined
}

async function sendCommand<Result>(url: string, { method, body }: Command): Promise<Result> {
  // WebKitWebDriver reads a body with every POST.
  const response = await fetch(url, { method, ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }) })
  const { value } = await response.json()
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
  return value
}
