import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { describeEngines } from '../browser/engines/describe-engines.ts'
import { book, button, openContext, seeStock, seeText } from './engine-page.ts'

describeEngines('the console', (getEngine) => {
  test('shows the stock, changes it, has an outage on and off, and takes a change and a reset back', async () => {
    const mock = createMock()
    const server = await serve(mock)
    onTestFinished(() => server.close())
    const page = await (await openContext(getEngine)).newPage()
    await page.goto(`${server.url}/`)
    await seeText(page, 'Live')
    await seeText(page, '10 pets')
    await seeStock(page, 2, 3)
    await book(page, 2, 20)
    expect(mock.inventory.get(2)?.quantity).toBe(20)
    mock.inventory.set(3, { quantity: 77 })
    await seeStock(page, 3, 77)

    await page.click(button('Outage 503'))
    await seeText(page, 'Every request: 503')
    expect(mock.faults.list()).toMatchObject([{ status: 503 }])
    await page.click(button('Remove'))
    // What is below the sentence moves up when it goes, so that a click before that could miss.
    await page.waitFor(() => !document.body.innerText.includes('Every request: 503'))
    expect(mock.faults.list()).toEqual([])

    await page.click(button('Undo'))
    await seeText(page, 'Undone: Pet 3: 0 to 77')
    await page.click(button('Redo'))
    await seeStock(page, 3, 77)
    await page.click(button('Reset'))
    await seeStock(page, 2, 3)
    await seeText(page, 'No requests yet')
    await page.click(button('Undo'))
    await seeText(page, 'Reset undone.')
    await seeStock(page, 2, 20)
    expect([2, 3].map((petId) => mock.inventory.get(petId)?.quantity)).toEqual([20, 77])
  })
})
