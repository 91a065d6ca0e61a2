import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HttpResponse, http } from 'msw'
import { describe, expect, test } from 'vitest'
import { formatReport } from '../../src/check/reporters.ts'
import { explainRestored, restoreOriginals } from '../../src/check/restore.ts'
import { runCheck } from '../../src/check/run-check.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { runCli } from '../cli/run-cli.ts'
import { makeSharedFolder } from '../cli/state-folder.ts'

const folder = await makeSharedFolder()

describe.concurrent('a check waits for a service that', () => {
  test.each([
    ['limits its clients', { status: 429, retryAfter: 0, times: 5 }],
    ['is briefly down', { status: 503, times: 4 }],
    ['drops connections', { error: 'reset', times: 4 }],
  ] as const)('%s', async (_, fault) => {
    const mock = createMock()
    const before = mock.inventory.list()
    let count = 0
    await using server = await serve(mock, {
      log() {
        count += 1
        if (count === 40) mock.faults.add(fault)
      },
    })
    const { report } = await runCheck({ url: server.url, write: true, lateMs: 0 })
    expect([report.verdict, report.failed, report.inconclusive]).toEqual(['kept', 0, 0])
    expect(mock.inventory.list()).toEqual(before)
  })

  test.each(['reset', 'timeout'] as const)('has a %s while the stock is restored', async (error) => {
    const mock = createMock()
    const before = mock.inventory.list()
    await using server = await serve(mock)
    const stop = new AbortController()
    mock.onChange(() => {
      if (stop.signal.aborted) return
      mock.faults.add({ error, times: 6 })
      stop.abort(new Error('enough'))
    })
    const options = { write: true, responseLimitMs: 300, restorePatienceMs: 10_000, signal: stop.signal }
    await expect(runCheck({ url: server.url, ...options })).rejects.toThrow('enough')
    expect(mock.inventory.list()).toEqual(before)
  })
})

test.concurrent('an update that is never possible is inconclusive, and no other case suffers', async () => {
  const mock = createMock()
  mock.faults.add({ operation: 'updateInventory', status: 503 })
  await using server = await serve(mock)
  const { report } = await runCheck({ url: server.url, write: true, lateMs: 0, restorePatienceMs: 500 })
  expect(report.verdict).toBe('inconclusive')
  expect(report.cases.find((each) => each.case === 'the present quantity of a pet should get 200')).toMatchObject({
    verdict: 'inconclusive',
    findings: [{ message: 'the service answers 503' }],
  })
  expect(report.cases.find((each) => each.case === 'no key should get 401')?.verdict).toBe('passed')
})

test.concurrent('at the end of the time there is a report, and the stock is as it was', async () => {
  const mock = createMock({ delay: 200 })
  const before = mock.inventory.list()
  await using server = await serve(mock)
  const { report } = await runCheck({ url: server.url, write: true, lateMs: 0, limitMs: 8000 })
  expect(report).toMatchObject({ verdict: 'inconclusive', failed: 0 })
  expect(report.cases.find(({ verdict }) => verdict === 'inconclusive')?.findings[0]?.message).toBe(
    'the time limit of the check was reached',
  )
  expect(mock.inventory.list()).toEqual(before)
})

test('the originals are in a file before the first update, and can be put back later', async () => {
  const mock = createMock()
  const before = mock.inventory.list()
  const file = join(folder, 'originals.json')
  await using server = await serve(mock)
  let saved = ''
  mock.onChange(async () => {
    saved ||= await readFile(file, 'utf8')
  })
  await runCheck({ url: server.url, write: true, lateMs: 0, originalsFile: file })
  mock.inventory.set(JSON.parse(saved).inventory[0].petId, { quantity: 77 })
  await writeFile(file, saved)
  expect(JSON.parse(saved)).toMatchObject({ url: `${server.url}/v1` })
  const { code, err } = await runCli('check', '--restore', file)
  expect([code, err]).toEqual([0, expect.stringContaining('Changed and restored: pet 1')])
  expect(mock.inventory.list()).toEqual(before)
  await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('neither the file nor putting it back touches pets that the check did not update', async () => {
  const mock = createMock()
  const file = join(folder, 'own-originals.json')
  await using server = await serve(mock)
  const original = mock.inventory.get(7)?.quantity
  let saved = ''
  const saves: boolean[] = []
  mock.onChange(() => {
    saved = readFileSync(file, 'utf8')
    saves.push(saved.includes('"petId":"7"'))
  })
  await runCheck({ url: server.url, write: true, lateMs: 0, petIds: ['7'], originalsFile: file })
  expect(new Set(saves)).toEqual(new Set([true]))
  expect(JSON.parse(saved).inventory).toEqual([{ petId: '7', quantity: String(original), status: expect.any(String) }])
  await writeFile(file, saved)
  for (const petId of [3, 4, 7]) mock.inventory.set(petId, { quantity: 77 })
  mock.inventory.remove(5)
  const { code } = await runCli('check', '--restore', file)
  const quantities = [3, 4, 7].map((petId) => mock.inventory.get(petId)?.quantity)
  expect([code, ...quantities]).toEqual([0, 77, 77, original])
})

test('--restore ends with 1 while a pet that the check created remains', async () => {
  const mock = createMock()
  await using server = await serve(mock)
  const file = join(folder, 'created.json')
  const inventory = [{ petId: '1', quantity: String(mock.inventory.get(1)?.quantity), status: 'available' }]
  await writeFile(file, JSON.stringify({ url: `${server.url}/v1`, inventory, absent: ['77'] }))
  mock.inventory.set(1, { quantity: 613 })
  mock.inventory.add({ petId: 77, quantity: 5, status: 'sold' })
  expect(await runCli('check', '--restore', file)).toMatchObject({
    code: 1,
    err: 'Changed and restored: pet 1.\nCreated: pet 77, which has quantity 5 and status sold.',
  })
  mock.inventory.remove(77)
  expect(await runCli('check', '--restore', file)).toMatchObject({ code: 0 })
})

test.concurrent('a key that the service refuses is told in a few seconds', async () => {
  await using server = await serve(createMock({ apiKeys: ['own-key'] }))
  const inventory = [{ petId: '3', quantity: '99', status: 'available' }]
  const restored = await restoreOriginals({ url: `${server.url}/v1`, inventory, absent: [] }, { apiKey: 'demo-key' })
  expect(restored).toMatchObject({ problem: 'the service answers 401', isUnreachable: true })
})

test.concurrent('what cannot be put back is told with both quantities', async () => {
  const mock = createMock()
  await using server = await serve(mock)
  mock.use(
    http.patch('*/v1/inventory/3', () => HttpResponse.json({ code: 'c', message: 'm', status: 400 }, { status: 400 })),
  )
  const inventory = [{ petId: '3', quantity: '99', status: 'available' }]
  const restored = await restoreOriginals({ url: `${server.url}/v1`, inventory, absent: [] }, { apiKey: 'demo-key' })
  expect(restored).toMatchObject({ problem: undefined, isUnreachable: false, left: [{ petId: '3' }] })
  const sentence =
    /^Changed and not restored: pet 3 has quantity \d+ and status \w+, and it had quantity 99 and status available\.$/
  expect(explainRestored(restored, 'FILE')).toEqual([
    expect.stringMatching(sentence),
    expect.stringContaining('petstore-mock check --restore FILE'),
  ])
})

describe('a report', () => {
  test('tells a cause once, with a command line that hides the key', async () => {
    const mock = createMock({ apiKeys: ['own-secret'] })
    mock.use(http.patch('*/v1/inventory/:petId', () => new HttpResponse('\u001b[31mno', { status: 500 })))
    await using server = await serve(mock)
    const { report } = await runCheck({ url: server.url, apiKey: 'own-secret', write: true, lateMs: 0 })
    const pretty = formatReport(report, { reporter: 'pretty' })
    expect(pretty).toMatch(/Also in \d\d other cases:/)
    expect(pretty).toContain('$ curl -X PATCH')
    expect(pretty).toContain('"$API_KEY"')
    expect(pretty).not.toContain('own-secret')
    expect(pretty).not.toMatch(/[^\n\P{C}]/u)
  })

  test('tells a list that lags from an update that is lost', async () => {
    const mock = createMock()
    let shown = mock.inventory.list()
    mock.onChange(() => setTimeout(() => (shown = mock.inventory.list()), 30))
    mock.use(
      http.get('*/v1/inventory', ({ request }) =>
        request.headers.get('authorization') === 'Bearer demo-key' ? HttpResponse.json(shown) : undefined,
      ),
    )
    await using server = await serve(mock)
    const { report } = await runCheck({ url: server.url, write: true, only: 'a new quantity' })
    const result = report.cases.find((each) => each.case === 'a new quantity should be echoed and listed')
    expect(result?.findings[1]?.message).toMatch(/^Read again, the list was right within \d+ ms/)
  })
})

test('a profile turns what it names into a pass with a note', async () => {
  await using server = await serve(createMock({ profile: { malformedPetId: 404 } }))
  const find = async (profile: object) => {
    const { report } = await runCheck({ url: server.url, write: true, profile, only: 'petId abc' })
    return report.cases.find((each) => each.case === 'petId abc should get 400')
  }
  expect(await find({})).toMatchObject({ verdict: 'differs', status: 404 })
  expect(await find({ malformedPetId: 404 })).toMatchObject({
    verdict: 'passed',
    findings: [{ message: 'The status is 404 and the mock sends 400, which the profile allows' }],
  })
})

test('--only, --header and two reporters', async () => {
  const mock = createMock()
  await using server = await serve(mock)
  const file = join(folder, 'report.xml')
  const flags = ['--only=valid key', '--header=X-Tenant: 7', '--reporter=pretty', `--reporter=junit=${file}`]
  const { code, out } = await runCli('check', server.url, ...flags)
  expect([code, out]).toEqual([0, expect.stringMatching(/^1 passed, .* of 1 cases/)])
  expect(await readFile(file, 'utf8')).toContain('<testcase')
  expect(mock.journal.last()?.request.headers['x-tenant']).toBe('7')
  const refused = await runCli('check', server.url, '--header', 'X-Token: MARK\nX')
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--header must be a name and a value') })
  expect(refused.err).not.toContain('MARK')
  const { code: unknown, err } = await runCli('check', server.url, '--only', 'nothing like this')
  expect([unknown, err]).toEqual([2, expect.stringContaining('no case has "nothing like this"')])
})
