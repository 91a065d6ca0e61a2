import { defineConfig } from '@playwright/test'
import type { InventoryOptions } from '../../../src/testing/playwright.ts'
import { findChromium } from '../../browser/chromium.ts'

export default defineConfig<InventoryOptions>({
  testDir: import.meta.dirname,
  testMatch: '*.spec.ts',
  fullyParallel: true,
  workers: 2,
  // A busy machine takes its time with a page.
  timeout: 60_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  use: { launchOptions: await findChromium() },
})
