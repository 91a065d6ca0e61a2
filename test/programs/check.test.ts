import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import type { CheckReport } from '../../src/check/report.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { runCli, startServe } from '../cli/run-cli.ts'
import { makeSharedFolder } from '../cli/state-folder.ts'

const folder = await makeSharedFolder()

describe('petstore-mock check', () => {
  test('passes the mock itself, and exits with 0', async () => {
    const { code, out, err } = await runCli('check')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/\d+ passed, 0 failed, 0 differ, 0 skipped of \d+ cases/)
  })

  test('names what a broken service breaks, and exits with 1', async () => {
    const mock = createMock()
    mock.use(http.get('*/v1/inventory', () => HttpResponse.json([{ petId: 1, quantity: '12', status: 'lost' }])))
    await using server = await serve(mock)
    const { code, out } = await runCli('check', server.url, '--reporter', 'json')
    const report = JSON.parse(out) as CheckReport
    expect([code, report.failed > 0]).toEqual([1, true])
    expect(JSON.stringify(report.cases)).toMatch(/quantity.*must be integer/)
  })

  test('--write updates the pets of --pet and no other, and puts them back', async () => {
    const mock = createMock()
    const before = mock.inventory.list()
    await using server = await serve(mock)
    expect(await runCli('check', server.url, '--write', '--pet', '3', '--only', 'quantity')).toMatchObject({
      code: 0,
      err: '',
    })
    const updates = mock.journal.find({ operation: 'updateInventory', status: 200 })
    expect(new Set(updates.map(({ petId }) => petId))).toEqual(new Set([3]))
    expect(mock.inventory.list()).toEqual(before)
  })
})

test.each(['nightly-github.yml', 'nightly-gitlab.yml'])('the pipeline %s checks a service', async (name) => {
  const recipe = await readFile(new URL(`../recipes/ci/${name}`, import.meta.url), 'utf8')
  const [command = ''] = /petstore-mock check .*\n.*--profile.*/.exec(recipe) ?? []
  await using server = await serve(createMock())
  const report = join(folder, `${name}.xml`)
  const profile = join(folder, `${name}.json`)
  await writeFile(profile, '{}')
  const own = { 'https://staging.petstore.example/v1': server.url, 'profile.json': profile }
  const words = command.replace('report.xml', report).split(/\s+/)
  const [, ...line] = words.map((word) => own[word as keyof typeof own] ?? word)
  // Without the case that waits for late changes.
  expect(await runCli(...line, '--only', 'should get')).toMatchObject({ code: 0, err: '' })
  expect((await readFile(report, 'utf8')).split('<testcase ').length).toBeGreaterThan(60)
})

test('petstore-mock serve --check reports an answer that breaks the specification', async () => {
  const { url, out } = await startServe('--check', '--handlers', `${import.meta.dirname}/broken-handlers.mjs`)
  const answer = await fetch(`${url}/inventory`, { headers: { authorization: 'Bearer demo-key' } })
  expect(await answer.json()).toEqual([{ petId: 1 }])
  await vi.waitFor(() => expect(out()).toContain('"event":"violation"'))
})
