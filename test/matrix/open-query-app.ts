// Drives the React app of a cell in Chromium: its query cache follows the panel's edits and Reset, and its own updates.
import { chromium } from 'playwright'
import { findChromium } from '../browser/chromium.ts'
import { serveWithVite } from './serve-with-vite.ts'

const url = await serveWithVite()
const browser = await chromium.launch(await findChromium())
const page = await browser.newPage()
// Vite reloads the page when it finds another dependency.
page.setDefaultTimeout(120_000)
await page.goto(url)
const first = page.getByRole('button', { name: /^Pet 1: / })
const see = (quantity: number) => first.filter({ hasText: `Pet 1: ${quantity} left` }).waitFor()

await see(12)
await page.getByRole('button', { name: 'petstore-mock' }).click()
await page.getByRole('button', { name: '12 of pet 1 in stock, change' }).click()
await page.getByRole('textbox', { name: 'In stock of pet 1', exact: true }).fill('40')
await page.keyboard.press('Enter')
await see(40)
await first.click()
await see(41)
await page.getByRole('button', { name: 'Reset', exact: true }).click()
await see(12)
await browser.close()
process.exit()
