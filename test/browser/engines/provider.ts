import { defineBrowserProvider } from '@vitest/browser'
import type { BrowserProvider, BrowserProviderOption, TestProject } from 'vitest/node'
import { ENGINES, type Engine, type EngineContext, type EngineName } from './engine.ts'
import { startEngine } from './start-engine.ts'

/** Lets Vitest's browser mode run in Firefox and WebKitGTK. */
export const engineProvider: BrowserProviderOption = defineBrowserProvider({
  name: 'engine',
  supportedBrowser: ENGINES,
  providerFactory: createProvider,
})

/** What a command gets beside Vitest's own. */
interface EngineCommandContext {
  newContext(): Promise<EngineContext>
}

declare module 'vitest/node' {
  interface BrowserCommandContext extends Partial<EngineCommandContext> {}
}

declare module 'vitest/browser' {
  interface BrowserCommands {
    __vitest_viewport(): Promise<void>
  }
}

function createProvider(project: TestProject): BrowserProvider {
  const name = project.config.browser.name as EngineName
  const contexts = new Map<string, EngineContext>()
  let engine: Promise<Engine> | undefined
  const newContext = async (): Promise<EngineContext> => {
    engine ??= startEngine(name)
    return (await engine).newContext()
  }
  // Vitest gives the frame of a test its size by style, and asks for no more.
  project.browser?.registerCommand('__vitest_viewport', async () => {})
  return {
    name: 'engine',
    supportsParallelism: true,
    getCommandsContext: () => ({ newContext }) satisfies EngineCommandContext,
    async openPage(sessionId, url) {
      await contexts.get(sessionId)?.close()
      const context = await newContext()
      contexts.set(sessionId, context)
      const page = await context.newPage()
      await page.goto(url)
    },
    async close() {
      await (await engine)?.close()
    },
  }
}
