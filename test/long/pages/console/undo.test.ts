import type { Page } from 'playwright'
import { describeUndo, load, openFile } from '../../../console/describe-undo.ts'

describeUndo([
  ['another status', 'Pet 3 is pending', (page) => choose(page, 3, 'Set status: pending')],
  ['a removed pet', 'Pet 3 removed', (page) => choose(page, 3, 'Remove pet')],
  ['another fixture', 'Loaded low-stock', (page) => load(page, 'low-stock')],
  ['a fixture file', 'File loaded', (page) => openFile(page, '{"inventory":[]}')],
])

async function choose(page: Page, petId: number, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for pet ${petId}` }).click()
  await page.getByRole('button', { name: item }).click()
}
