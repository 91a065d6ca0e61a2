import { describe, expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { openConsole } from '../../../console/open-console.ts'

const browser = useChromium()

describe('faults and latency on the console', () => {
  test('an outage beside other faults is taken back without them, also if another client was faster', async () => {
    const { page, mock } = await openConsole(browser())
    mock.faults.add({ error: 'reset', petId: 3 })
    mock.faults.add({ status: 503 })
    mock.faults.add({ error: 'reset' })
    await page.route('**/_mock/faults/2', async (route) => {
      mock.faults.remove(2)
      await route.continue()
    })
    await page.getByRole('button', { name: 'Outage 503', pressed: true }).click()
    await page.getByRole('button', { name: 'Connection reset', pressed: false }).waitFor()
    expect(mock.faults.list()).toMatchObject([{ error: 'reset', petId: 3 }])
    for (const petId of [4, 5]) mock.faults.add({ status: 500, petId })
    for (const [name, next] of Object.entries({
      'fault 5': 'fault 4',
      'fault 1': 'fault 4',
      'fault 4': 'Make requests',
    })) {
      await page.getByRole('button', { name }).press('Enter')
      await page
        .locator(':focus')
        .and(page.getByRole('button', { name: next }))
        .waitFor()
    }
    expect(mock.faults.list()).toEqual([])
  })

  test('the latency that the mock was started with is shown, and can be switched off here', async () => {
    const { page, mock } = await openConsole(browser(), { mock: { delay: [2, 5] } })
    await page.getByText('Every request waits 2 to 5 ms').waitFor()
    await page.getByRole('button', { name: 'Remove latency' }).click()
    await page.getByText('Latency removed').waitFor()
    await page.getByText('Every request waits').waitFor({ state: 'detached' })
    mock.setDelay(70)
    await page.getByText('Every request waits 70 ms').waitFor()
    await page.getByRole('button', { name: 'Slow 1 s' }).click()
    await page.getByRole('button', { name: 'Slow 1 s', pressed: true }).waitFor()
    await page.getByText('Every request waits 70 ms').waitFor({ state: 'detached' })
  })

  test('what others set is shown', async () => {
    const { page, mock } = await openConsole(browser())
    await page.getByText('Live', { exact: true }).waitFor()
    mock.faults.add({ petId: 7, error: 'truncated', delay: [100, 200] })
    mock.faults.add({ method: 'GET', path: '/orders/{id}', status: 503 })
    await page.getByText('Every request of pet 7: truncated response, after 100 to 200 ms').waitFor()
    await page.getByText('GET /v1/orders/{id}: 503').waitFor()
    mock.faults.clear()
    await page.getByText('GET /v1/orders/{id}').waitFor({ state: 'detached' })
  })
})
