import type { Page } from 'playwright'
import { type ConsoleSetup, edit, type OpenConsole, openRequest, send, showRequests, stockOf } from './open-console.ts'

/** A view of the page, and how one comes to it. */
export interface View {
  readonly name: string
  readonly setup?: ConsoleSetup
  readonly go: (page: Page, open: OpenConsole) => Promise<unknown>
}

/** The views that must be accessible. */
export const VIEWS: readonly View[] = [
  { name: 'at rest', go: (page) => stockOf(page, 10).waitFor() },
  {
    name: 'with no pets',
    setup: { mock: { fixture: 'empty' } },
    go: (page) => page.getByText('No pets. Add some').waitFor(),
  },
  {
    name: 'with an edit that was refused',
    async go(page) {
      await edit(page, 2, 'five')
      await page.getByText(/^quantity must be an integer/).waitFor()
    },
  },
  {
    name: 'with faults, a sentence for another, and latency',
    async go(page, { mock }) {
      await page.getByRole('button', { name: 'Outage 503' }).click()
      await page.getByText('Every request: 503').waitFor()
      mock.faults.add({ error: 'reset', petId: 3 })
      await page.getByRole('button', { name: 'Make requests fail…' }).click()
      await page.getByRole('button', { name: 'Slow 1 s' }).click()
      await page.getByText('Every request waits 1 s', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Remove all faults' }).waitFor()
      await page.getByRole('button', { name: 'Add', exact: true }).hover()
    },
  },
  {
    name: 'with a request opened',
    async go(page, { server, mock }) {
      mock.faults.add({ status: 503, times: 1 })
      for (const key of ['demo-key', 'wrong']) await send(server, 'GET', '/v1/inventory', { key })
      await send(server, 'PATCH', '/v1/inventory/2', { body: '{"quantity":5}' })
      await showRequests(page)
      const details = await openRequest(page, 'PATCH /v1/inventory/2', 200)
      await details.getByRole('button', { name: 'Send again' }).click()
      await page.getByText(/^Sent again/).waitFor()
      await page.getByRole('searchbox', { name: 'Find requests' }).fill('no such thing')
      await page.getByText('0 found').waitFor()
    },
  },
  {
    name: 'with filters, pets to add, and a menu',
    async go(page) {
      await page.getByRole('button', { name: /^pending/ }).click()
      await page.getByRole('button', { name: 'Add…' }).click()
      await page.getByLabel('Pets to add').fill('x 1')
      await page.getByRole('button', { name: 'Add pets' }).click()
      await page.getByText('Line 1: petId').waitFor()
      await page.getByRole('button', { name: 'Actions for pet 7' }).click()
      await page.getByRole('button', { name: 'Remove pet' }).waitFor()
    },
  },
  {
    name: 'with a sandbox that has no name',
    async go(page) {
      await page.getByLabel('Sandbox').fill('a/b')
      await page.keyboard.press('Enter')
      await page.getByText('A name has 1 to 64').waitFor()
    },
  },
  {
    name: 'locked',
    setup: { server: { controlToken: 'secret' } },
    async go(page) {
      await page.getByLabel('Control token').fill('wrong')
      await page.keyboard.press('Enter')
      await page.getByText('Invalid control token.').waitFor()
    },
  },
  {
    name: 'without its mock',
    async go(page, { server }) {
      await stockOf(page, 1).waitFor()
      await server.close()
      await page.getByText('Mock server unreachable').waitFor()
    },
  },
]
