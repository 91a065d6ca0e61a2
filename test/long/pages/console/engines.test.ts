import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../../../src/index.ts'
import { serve } from '../../../../src/runtimes/server.ts'
import { describeEngines } from '../../../browser/engines/describe-engines.ts'
import { ENGINES, type EnginePage } from '../../../browser/engines/engine.ts'
import { book, button, openContext, seeStock, seeText } from '../../../console/engine-page.ts'
import { fill, send } from '../../../console/open-console.ts'
import { runTests } from './run-tests.ts'

/** Runs in the page: keeps the text of the next file or copy, for which each engine has a dialog or a permission of its own. */
function catchText(): void {
  const keep = (text: string): void => {
    document.body.dataset['caught'] = text
  }
  URL.createObjectURL = (file) => {
    if (file instanceof Blob) void file.text().then(keep)
    return ''
  }
  HTMLAnchorElement.prototype.click = () => {}
  const write = async ([item]: ClipboardItem[]) => item?.getType('text/plain').then((blob) => blob.text().then(keep))
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { write } })
}

/** Runs in the page: takes the text, once it is there. */
function takeText(): string | undefined {
  const { caught } = document.body.dataset
  delete document.body.dataset['caught']
  return caught
}

/** Runs in the page: what a person compares. */
function look(): string[] {
  const texts = ['[aria-label="Response 503"]', '[role="grid"]', '.fault-list'].map(
    (selector) => document.querySelector<HTMLElement>(selector)?.innerText ?? '',
  )
  return [document.querySelector<HTMLInputElement>('.find')?.value ?? '', ...texts]
}

describeEngines(
  'the console',
  (getEngine) => {
    test('from a pasted state to a request that failed among 5,000, to its test, and to somebody else', async () => {
      const mock = createMock({ journalSize: 6000 })
      const server = await serve(mock)
      onTestFinished(() => server.close())
      const open = async (url: string): Promise<EnginePage> => {
        const opened = await (await openContext(getEngine)).newPage()
        await opened.setViewport({ width: 1280, height: 900 })
        await opened.goto(url)
        return opened
      }
      const page = await open(`${server.url}/`)
      await seeText(page, 'Live')
      await page.evaluate(catchText)

      await page.click(button('Add…'))
      await page.evaluate(() => {
        document.querySelector<HTMLElement>('[name="pets"]')?.focus()
        document.execCommand('insertText', false, '11\t5\tavailable\n9223372036854775807\t3\tpending')
      })
      await page.click(button('Add pets'))
      await seeText(page, '2 pets added')
      await book(page, 5, 76)
      await page.click(button('Undo'))
      await seeStock(page, 5, 25)
      await book(page, 5, 77)
      await page.click('[aria-label="Actions for pet 9223372036854775807"]')
      await page.click(button('Make updates fail…'))
      await page.fill('[name="times"]', '2')
      await page.click(button('Add'))
      await seeText(page, 'PATCH /v1/inventory/9223372036854775807: 503, 2 times')

      await fill(mock, 2500)
      expect(
        (await send(server, 'PATCH', '/v1/inventory/9223372036854775807', { body: '{"quantity":1}' })).status,
      ).toBe(503)
      await fill(mock, 2497)
      await seeText(page, '4,998')
      await page.fill('.find', 'pet:9223372036854775807 5xx')
      await seeText(page, '1 found')
      await page.click('.exchange')
      await seeText(page, 'Response injected by a fault')
      await page.click(button('Copy'))
      await page.click(button('Vitest test'))
      const copied = await page.waitFor(takeText)

      await page.click(button('Save and share'))
      await page.click(button('Download fixture'))
      const saved = createMock({ fixture: await page.waitFor(takeText) })
      expect(saved.inventory.list()).toEqual(mock.inventory.list())
      expect(await runTests([copied])).toEqual(['passed'])

      await page.click(button('Save and share'))
      await page.click(button('Copy link'))
      const other = await open(await page.waitFor(takeText))
      await seeText(other, '"code": ')
      await seeStock(other, 5, 77)
      // The rows that are seen are known only after the first layout.
      await expect.poll(() => other.evaluate(look)).toEqual(await page.evaluate(look))

      await page.click(button('Remove'))
      await page.waitFor(() => document.querySelector('.fault-list li') === null)
      expect(mock.faults.list()).toEqual([])
    })
  },
  ['chromium', ...ENGINES],
)
