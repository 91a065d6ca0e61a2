import { type Browser, chromium } from 'playwright'
import { beforeAll, inject } from 'vitest'

/** The Chromium of the whole run. What this connection opens is closed with it. */
export function connectChromium(): Promise<Browser> {
  return chromium.connect(inject('chromiumUrl'))
}

/** Gives the tests of a file the Chromium of the whole run. Each test opens a context of its own. */
export function useChromium(): () => Browser {
  let browser: Browser
  beforeAll(async () => {
    browser = await connectChromium()
    return () => browser.close()
  })
  return () => browser
}
