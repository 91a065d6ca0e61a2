import { defineConfig } from '@playwright/test'
import type { ServerOptions } from '../../../src/testing/playwright.ts'
import { findChromium } from '../../browser/chromium.ts'

// Both are set by serve-shop.ts, which runs first.
const { SHOP_URL = '', MOCK_URL = '' } = process.env

export default defineConfig<ServerOptions>({
  testDir: '../..',
  testMatch: ['testing/playwright-suite/*.spec.ts', 'examples/*.spec.ts'],
  globalSetup: './serve-shop.ts',
  // Each worker loads the sources and starts a browser, which takes longer than half of the tests.
  workers: 1,
  // A busy machine takes its time with a page.
  timeout: 60_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  use: {
    launchOptions: await findChromium(),
    baseURL: SHOP_URL,
    mockServer: { url: MOCK_URL, controlToken: 'control-token' },
  },
})
