import { chromium } from 'playwright'
import type { TestProject } from 'vitest/node'
import { findChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where Chromium takes connections. */
    readonly chromiumUrl: string
  }
}

/** Starts one Chromium for all files of a project: `connectChromium` reaches it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer(await findChromium())
  project.provide('chromiumUrl', server.wsEndpoint())
  return () => server.close()
}
