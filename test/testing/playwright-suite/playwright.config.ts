import { defineConfig } from '@playwright/test'
import { findChromium } from '../../browser/chromium.ts'

const { SHOP_URL } = process.env

export default defineConfig({
  testDir: '../..',
  testMatch: ['testing/playwright-suite/*.spec.ts', 'examples/*.spec.ts'],
  globalSetup: './serve-shop.ts',
  fullyParallel: true,
  workers: 2,
  // A busy machine takes its time with a page.
  timeout: 60_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  use: { launchOptions: await findChromium(), ...(SHOP_URL !== undefined && { baseURL: SHOP_URL }) },
})
