import { expect, onTestFinished, test } from 'vitest'
import { describeEngines, type GetEngine } from '../browser/engines/describe-engines.ts'
import { type EngineName, type EnginePage, KEYS } from '../browser/engines/engine.ts'
import { type Change, openApp } from '../tabs/open-app.ts'
import { openContext } from './engine-page.ts'
import { START } from './open-panel.ts'

/** Rules that would disfigure whatever they reach. */
const HOSTILE = `<style>
  html { font-size: 40px; --ink: red; direction: rtl }
  * { font-family: fantasy !important; color: red !important; letter-spacing: 9px; display: block }
  :empty { display: none !important }
</style>`

/** Declares what the panel does in each of these engines. */
export function describePanel(engines: readonly EngineName[]): void {
  describeEngines(
    'the panel',
    (getEngine) => {
      test('shows and changes the mock of a page, whose focus, styles, keys, title and URL stay', async () => {
        const page = await openPart(getEngine, {
          'src/mock.ts': START,
          'index.html': (text) =>
            text
              .replace('</head>', `${HOSTILE}</head>`)
              .replace('<body>', '<body><textarea autofocus>Notes</textarea>'),
        })
        const list = () =>
          fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } }).then((answer) => answer.text())
        await page.click(part('petstore-mock'))
        await see(page, 'Live')
        await page.reload()
        await page.waitFor(
          () => document.activeElement?.tagName === 'TEXTAREA' && document.querySelector('h1') !== null,
        )
        await see(page, 'Live')
        const before = await page.evaluate(survey)
        await change(page, 12, 41)
        await change(page, 41, 42)
        expect(await page.evaluate(list)).toContain('"petId":1,"quantity":42,')

        await page.evaluate(() => addEventListener('keydown', ({ key }) => (document.body.dataset['keys'] += key)))
        await page.type('/')
        expect(await page.evaluate(findFocus)).toBe('Find requests: ')
        await page.type('4xx')
        expect(await page.evaluate(findFocus)).toBe('Find requests: 4xx')
        await page.type(KEYS.escape)
        expect(await page.evaluate(findFocus)).toBe('Find requests: ')
        await page.evaluate(() => document.querySelector('textarea')?.focus())
        expect(await page.evaluate(survey)).toEqual(before)
        await page.type('/')
        const undo = () => {
          const init = { key: 'z', ctrlKey: true, bubbles: true, cancelable: true }
          const isLeft = document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init))
          return [document.querySelector('textarea')?.value.includes('/'), isLeft, document.body.dataset['keys']]
        }
        expect(await page.evaluate(undo)).toEqual([true, true, 'undefined/z'])
        await page.click(part('Undo'))
        await see(page, '41 of pet 1 in stock, change')
        expect(await page.evaluate(list)).toContain('"petId":1,"quantity":41,')
        await page.type(KEYS.escape)
        expect(await page.evaluate(findFocus)).toBe('petstore-mock: ')
      })
    },
    engines,
  )
}

/** Finds an element of the panel by its label, its text or its class, in a page of any engine. */
export function part(name: string) {
  return new Function(`
    const all = document.querySelector('petstore-mock-panel')?.shadowRoot.querySelectorAll('*') ?? []
    const isNamed = (each) => [each.ariaLabel, each.className, each.innerText?.trim()].includes(${JSON.stringify(name)})
    return [...all].findLast((each) => isNamed(each) && each.checkVisibility())`) as () => HTMLElement | undefined
}

/** Resolves when the panel has such a part. */
export async function see(page: EnginePage, name: string): Promise<void> {
  await page.waitFor(new Function(`return (${part(name)})() !== undefined`) as () => boolean)
}

/** Changes the stock of pet 1 in the panel. */
export async function change(page: EnginePage, before: number, after: number): Promise<void> {
  await page.click(part(`${before} of pet 1 in stock, change`))
  await page.fill(part('In stock of pet 1'), String(after))
  await page.type(KEYS.enter)
  await see(page, `${after} of pet 1 in stock, change`)
}

/**
 * Opens a page with the panel, in any engine. Resolves when the page has started: WebKit leaves a worker that a reload meets
 * in its first activation activating until the next reload.
 */
export async function openPart(getEngine: GetEngine, edits: Readonly<Record<string, Change>>): Promise<EnginePage> {
  const app = await openApp('react', edits)
  onTestFinished(() => app[Symbol.asyncDispose]())
  const page = await (await openContext(getEngine)).newPage()
  await page.setViewport({ width: 1280, height: 800 })
  await page.goto(app.url)
  await page.waitFor(() => document.querySelector('h1') !== null)
  return page
}

/** Runs in the page: what its heading looks like, and what else could be changed. */
function survey() {
  const style = getComputedStyle(document.querySelector('h1') ?? document.body)
  const values = Array.from(style, (name) => `${name}: ${style.getPropertyValue(name)}`)
  return [location.href, document.title, document.activeElement?.tagName, ...values]
}

/** Runs in the page: the part of the panel that has the focus, and what is typed there. */
function findFocus() {
  const { activeElement } = document.querySelector('petstore-mock-panel')?.shadowRoot ?? document
  const { ariaLabel, textContent, value = '' } = (activeElement ?? {}) as HTMLInputElement
  return `${ariaLabel ?? textContent}: ${value}`
}
