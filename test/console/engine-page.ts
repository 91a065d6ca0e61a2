import { onTestFinished } from 'vitest'
import type { GetEngine } from '../browser/engines/describe-engines.ts'
import { type EngineContext, type EnginePage, KEYS, type Target } from '../browser/engines/engine.ts'

/** Opens a profile that is deleted after its test. */
export async function openContext(getEngine: GetEngine): Promise<EngineContext> {
  const context = await getEngine().newContext()
  onTestFinished(() => context.close())
  return context
}

/** Resolves when the page shows the text. */
export async function seeText(page: EnginePage, text: string): Promise<void> {
  await page.waitFor((wanted) => document.body.innerText.includes(wanted), { argument: text })
}

/** Resolves when the page shows this quantity of a pet. */
export async function seeStock(page: EnginePage, petId: number, quantity: number): Promise<void> {
  await page.waitFor(
    ([petId, quantity]) =>
      document.querySelector<HTMLElement>(`[aria-label$=" of pet ${petId} in stock, change"]`)?.innerText === quantity,
    { argument: [String(petId), String(quantity)] },
  )
}

/** Changes the stock of a pet through the UI, and waits until it is shown. */
export async function book(page: EnginePage, petId: number, quantity: number): Promise<void> {
  await page.click(`[aria-label$=" of pet ${petId} in stock, change"]`)
  await page.fill(`[aria-label="In stock of pet ${petId}"]`, String(quantity))
  await page.type(KEYS.enter)
  await seeText(page, `Pet ${petId} has ${quantity} in stock`)
  await seeStock(page, petId, quantity)
}

/** Finds a button or switch by its label. The function cannot use outside variables, so the label is written into its source. */
export function button(words: string): Target {
  return new Function(
    `return [...document.querySelectorAll('button')].find((each) => each.innerText.trim() === ${JSON.stringify(words)})`,
  ) as () => Element | undefined
}
