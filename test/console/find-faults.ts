import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright'
import { expect } from 'vitest'

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The colour schemes in which every view is checked. */
export const LOOKS = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 360 },
] as const

/** A summary of axe's violations. */
export async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations, passes } = await page.evaluate(
    (values): Promise<AxeResults> =>
      (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run({
        runOnly: { type: 'tag', values },
      }),
    RULES,
  )
  expect(passes.length).toBeGreaterThan(15)
  // In a disabled fieldset, axe takes what has a tabindex for disabled, too.
  const stops = await page
    .locator(':disabled [tabindex="0"]')
    .evaluateAll((all) => all.flatMap(({ classList }) => [...classList]))
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ target }) => id !== 'scrollable-region-focusable' || !stops.includes(`${target}`.slice(1)))
      .map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
  )
}

/** By how many pixels the page is wider than its window. */
export function findOverflow(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth))
}
