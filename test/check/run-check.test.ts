import { HttpResponse, http } from 'msw'
import { describe, expect, test } from 'vitest'
import { CASES } from '../../src/check/cases.ts'
import { formatReport } from '../../src/check/reporters.ts'
import { explainRestored, type RestoredStock } from '../../src/check/restore.ts'
import { type RunCheckOptions, runCheck } from '../../src/check/run-check.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { serveOther } from './other-service.ts'
import { HARMS, MOMENTS } from './services/damaging.ts'
import { createCounter, Refusal, startService, type Vary } from './services/plain-service.ts'
import { SOUND } from './services/sound.ts'

const check = async (options?: RunCheckOptions) => (await runCheck({ lateMs: 0, ...options })).report

describe.concurrent('runCheck', () => {
  test('checks a mock of its own where it is given no address', async () => {
    const report = await check({ apiKey: 'own-key' })
    expect(report).toMatchObject({ url: undefined, failed: 0, differs: 0, skipped: 0 })
    expect(report.passed).toBe(report.cases.length)
    expect(report.cases[0]).toEqual({
      operation: 'listInventory',
      case: 'a valid key should get 200',
      status: 200,
      expected: 200,
      verdict: 'passed',
      findings: [],
      durationMs: expect.any(Number),
    })
  })

  test('checks a running service under its base path', async () => {
    await using server = await serve(createMock({ baseUrl: '/api/v2', fixture: 'empty' }))
    const report = await check({ url: `${server.url}/api/v2/` })
    expect(report).toMatchObject({ url: `${server.url}/api/v2`, failed: 0, differs: 0 })
    expect(report.skipped).toBeGreaterThan(20)
  })

  test('does not hold a service of somebody else to our decisions', async () => {
    await using service = await startService(SOUND['no-challenge'].vary)
    const report = await check({ url: service.url, apiKey: service.apiKey, write: true })
    expect(report).toMatchObject({ verdict: 'kept', failed: 0 })
    const title = 'a 401 should name Bearer in WWW-Authenticate'
    const differing = report.cases.find((each) => each.case === title)
    expect(differing).toMatchObject({ verdict: 'differs' })
  })

  test('says in one sentence that a service cannot be reached', async () => {
    const { port, close } = await serve(createMock())
    await close()
    const message = expect.stringMatching(
      /^Failed to read the inventory of \S+\/v1: .*ECONNREFUSED.*\. Check that the service is running, and that the URL is right\.$/,
    )
    await expect(check({ url: `http://localhost:${port}` })).rejects.toMatchObject({ code: 'CHECK_FAILED', message })
  })

  test.for(['localhost:4100', 'petstore', '', 'ftp://127.0.0.1', 'http://key@127.0.0.1', 'http://127.0.0.1/v1?a=b'])(
    '%j is no address',
    async (url) => {
      await expect(check({ url })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    },
  )

  test('only reads from a running service unless it is told to write', async () => {
    const mock = createMock()
    await using server = await serve(mock)
    const before = mock.inventory.list()
    const report = await check({ url: server.url })
    expect(report).toMatchObject({ failed: 0 })
    expect(mock.journal.find({ operation: 'updateInventory' })).toEqual([])
    expect(report.cases.filter(({ verdict }) => verdict === 'skipped').length).toBeGreaterThan(20)
    expect(mock.inventory.list()).toEqual(before)
  })

  describe('says in one sentence, before any case, that', () => {
    test('the key is refused', async () => {
      await using server = await serve(createMock({ apiKeys: ['other-key'] }))
      await expect(check({ url: server.url })).rejects.toThrow(
        ' is 401: the key is rejected. Pass a valid one with --api-key.',
      )
    })

    test('the base path is wrong', async () => {
      await using server = await serve(createMock())
      const advice = 'Pass the URL with the base path alone: http://127.0.0.1:4100/v1'
      for (const [path, status] of [
        ['/v2', 404],
        ['/v1/inventory', 405],
      ]) {
        const url = server.url + path
        await expect(check({ url })).rejects.toThrow(`GET ${url}/inventory is ${status}. ${advice}`)
      }
    })

    test('a website is at the URL', async () => {
      const mock = createMock()
      mock.use(http.get('*/v1/inventory', () => HttpResponse.html('<p>')))
      await using server = await serve(mock)
      await expect(check({ url: server.url })).rejects.toThrow('is 200 and a page of HTML.')
    })

    test('it redirects, without credentials', async () => {
      const location = 'http://u:MARKPW@127.0.0.1/x?token=MARKTOK'
      const mock = createMock()
      mock.use(http.get('*/v1/inventory', () => new Response(null, { status: 302, headers: { location } })))
      await using server = await serve(mock)
      const shown = 'is 302 and redirects to http://(hidden)@127.0.0.1/x?token=(hidden). Pass that URL instead.'
      await expect(check({ url: server.url })).rejects.toThrow(shown)
    })

    test('there is no such pet to update', async () => {
      await using server = await serve(createMock())
      await expect(check({ url: server.url, write: true, petIds: ['77'] })).rejects.toThrow('it has no pet 77')
    })
  })

  test('the titles of an operation are told apart, and say what is expected', () => {
    const names = CASES.map(({ operation, title }) => `${operation}: ${title}`)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !name.includes(' should '))).toEqual([])
  })

  test.for(['empty', 'sold-out'] as const)('skips what the fixture %s has no pet for', async (fixture) => {
    await using server = await serve(createMock({ fixture }))
    const { cases, failed, differs } = await check({ url: server.url, write: true })
    expect([failed, differs]).toEqual([0, 0])
    const skipped = cases.filter(({ verdict }) => verdict === 'skipped')
    const reason = fixture === 'empty' ? 'there is no pet whose quantity could be restored' : 'no pet is available'
    expect(skipped.flatMap(({ findings }) => findings.map(({ message }) => message))).toContain(reason)
    expect(cases.find((each) => each.case === 'an unknown pet should get 404')?.verdict).toBe('passed')
  })

  test('25 pets whose own quantity is refused are enough', async () => {
    const inventory = Array.from({ length: 30 }, (_, id) => ({ petId: id, quantity: 5, status: 'sold' as const }))
    const mock = createMock({ fixture: { inventory }, quantity: { min: 6 } })
    await using server = await serve(mock)
    await check({ url: server.url, write: true, only: 'the present quantity of a pet' })
    expect(new Set(mock.journal.find({ status: 400 }).map(({ petId }) => petId)).size).toBe(25)
  })

  test('a stock that cannot be put back fails the check, and is reported', async () => {
    const restored: RestoredStock[] = []
    await using service = await startService((base, { pets }) => ({
      store: (pet, quantity) => {
        base.store(pet, quantity)
        for (const each of pets) each.status = 'sold'
      },
    }))
    const { url, apiKey } = service
    const { cases } = await check({ url, apiKey, write: true, onRestored: (each) => restored.push(each) })
    expect(cases.at(-1)).toMatchObject({ case: 'the stock should be as it was before the check', verdict: 'failed' })
    const lines = explainRestored(restored[0] as RestoredStock, 'file')
    const kept = 'has quantity 3 and status sold, and it had quantity 3 and status pending.'
    expect(lines).toContain(`Changed and not restored: pet 2 ${kept}`)
    expect(lines.filter((line) => line.includes('--restore'))).toEqual([])
  })

  test('an operation that hangs is called in two cases', async () => {
    const mock = createMock()
    mock.faults.add({ operation: 'updateInventory', error: 'timeout' })
    await using server = await serve(mock)
    const { cases } = await check({ url: server.url, write: true, responseLimitMs: 1000 })
    const open = cases.filter(({ operation, status }) => operation === 'updateInventory' && status === undefined)
    expect(open[0]?.evidence).toEqual([
      { request: expect.stringContaining('curl -X PATCH'), response: 'no response within 1 seconds' },
    ])
    const reasons = open.map(({ findings }) => findings[0]?.message)
    expect(reasons.filter((each) => each?.includes('within 1 seconds'))).toHaveLength(2)
    expect(cases.at(-1)).toMatchObject({ case: 'the stock should be as it was before the check', verdict: 'passed' })
    expect(reasons.filter((each) => each?.includes('is not called again')).length).toBeGreaterThan(20)
    mock.reset()
  })

  test('a service may decide otherwise where the specification is silent', async () => {
    await using server = await serve(createMock({ quantity: { min: 0, max: 1000 }, fixture: 'int64-edges' }))
    const { cases } = await check({ url: server.url, write: true })
    expect(cases.filter(({ verdict }) => verdict !== 'passed')).toMatchObject([
      {
        case: 'a negative quantity should get 200',
        verdict: 'differs',
        findings: [{ message: 'The status is 400 and the mock sends 200' }],
      },
      { case: 'quantity 2^53−1 should get 200', verdict: 'differs' },
    ])
  })

  test('but break neither the specification nor its own word by it', async () => {
    const find = async (vary: Vary) => {
      await using service = await startService(vary)
      const { url, apiKey } = service
      const { cases } = await check({ url, apiKey, write: true, only: 'a negative quantity' })
      return cases.find((each) => each.case === 'a negative quantity should get 200')
    }
    const refuse: Vary = (base) => ({
      parseQuantity: (body) => {
        const quantity = base.parseQuantity(body)
        if (quantity < 0) throw new Refusal(422, 'negative', 'Use 0 or more')
        return quantity
      },
    })
    const listed = 'The status 422 is not listed in the specification for updateInventory: 200, 400, 401, 404'
    expect(await find(refuse)).toMatchObject({
      verdict: 'failed',
      findings: [{ message: 'The status is 422 and the mock sends 200' }, { verdict: 'failed', message: listed }],
    })
    const echoAmount: Vary = (base) => ({
      confirm: (before, quantity) => base.confirm(before, Math.abs(quantity)),
    })
    expect(await find(echoAmount)).toMatchObject({ verdict: 'failed', findings: [{ cause: 'response quantity' }] })
  })

  test('a pet that changes with another one fails one case, and the next ones go on from the stock of the service', async () => {
    let updates = 0
    await using service = await serveOther({
      decisions: {},
      tamper({ method, pets }) {
        const [, second] = pets
        updates += method === 'PATCH' ? 1 : 0
        // The first update, and four pairs of others, which show that no other client does this.
        if (method === 'PATCH' && updates <= 9 && second !== undefined) second.quantity += 1
        return undefined
      },
    })
    const { cases } = await check({ url: service.url, write: true })
    expect(cases.filter(({ verdict }) => verdict === 'failed')).toMatchObject([
      {
        case: 'the present quantity of a pet should get 200',
        findings: [{ message: 'The next list shows quantity 5 for pet 9007199254740993 and should show 4' }],
        evidence: [
          { request: expect.stringContaining('curl -X PATCH') },
          { request: expect.stringContaining('curl -X GET') },
        ],
      },
    ])
  })

  test('never shows the key, whatever the service repeats', async () => {
    const secret = 'own-secret-key'
    await using service = await startService((base) => ({
      apiKey: secret,
      refuse: (refusal, call) => ({
        ...base.refuse({ ...refusal, code: secret, message: btoa(`${secret}:`) }, call),
        headers: { 'www-authenticate': `Basic ${secret}` },
      }),
    }))
    const run = await runCheck({ url: service.url, apiKey: secret, lateMs: 0 })
    const shown = JSON.stringify(run) + formatReport(run.report, { reporter: 'pretty' })
    expect(shown).toContain('WWW-Authenticate should name Bearer and is Basic (hidden)')
    expect(shown).not.toContain(secret)
    expect(shown).not.toContain(btoa(`${secret}:`))
  })

  test('gives up where the whole run takes too long', async () => {
    const mock = createMock()
    mock.faults.add({ error: 'timeout' })
    await using server = await serve(mock)
    await expect(check({ url: server.url, limitMs: 100 })).rejects.toThrow('reached. Raise it with --timeout.')
    mock.reset()
  })

  test('gives up before it starts', async () => {
    await expect(check({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })
})

describe.concurrent('the first damage', () => {
  test('ends the updates, after one pet, and is at the top of the report', async () => {
    await using service = await startService(MOMENTS['at each update'](HARMS['deletes the pet']))
    const updates: string[] = []
    service.onRequest = (_, line) => line.startsWith('PATCH') && updates.push(line)
    const report = await check({ url: service.url, apiKey: service.apiKey, write: true })
    // The second one is to restore it.
    expect(updates).toEqual(['PATCH /v1/inventory/1', 'PATCH /v1/inventory/1'])
    const [top] = formatReport(report, { reporter: 'pretty' }).split('\n')
    expect(top).toBe('damage: The next list lacks pet 1. No case sent another update.')
    expect(report.cases.at(-1)).toMatchObject({
      verdict: 'failed',
      findings: [{ message: 'Gone: pet 1, which had quantity 12 and status available' }],
    })
    expect(report.cases.filter(({ verdict }) => verdict === 'skipped').length).toBeGreaterThan(50)
  })

  test('is the finding of its case, and all later updates are skipped for this reason', async () => {
    const count = createCounter()
    await using service = await startService(
      MOMENTS['at each update']((running, pet) => {
        if (count() === 5) HARMS['deletes the pet'](running, pet)
      }),
    )
    const { cases } = await check({ url: service.url, apiKey: service.apiKey, write: true })
    const updating = cases.filter(({ operation }) => operation === 'updateInventory').slice(1, -1)
    const sentences = updating.map(({ findings }) => findings.map(({ message }) => message).join(', '))
    expect([...new Set(sentences)]).toEqual([
      'The next list lacks pet 1',
      'no update is sent after damage to the stock',
    ])
  })

  test.each([
    ['forgets the status', 'no status'],
    ['sets the status to null', 'status null'],
  ])('of a service that %s is told as %s', async (kind, shown) => {
    await using service = await startService((base) => ({
      store: (pet, quantity) => Object.assign(pet, { quantity, status: null }),
      toFields: (pet) => {
        const { status, ...others } = base.toFields(pet)
        return pet.status === null && kind === 'forgets the status' ? others : { ...others, status: `${status}` }
      },
    }))
    const { damage, cases } = await check({ url: service.url, apiKey: service.apiKey, write: true })
    const right = 'should show status available: an update sets the quantity alone'
    expect(damage).toBe(`The next list shows ${shown} for pet 1 and ${right}`)
    const left = `pet 1 has quantity 12 and ${shown}, and it had quantity 12 and status available`
    expect(cases.at(-1)?.findings).toMatchObject([{ message: `Changed and not restored: ${left}` }])
  })

  test('ends the restoring too, and the report lists the pets that the cases had set back', async () => {
    const count = createCounter()
    await using service = await startService(
      MOMENTS['at each update']((running, pet) => {
        if (count() > 12 && pet?.quantity === 12) HARMS['creates a pet'](running)
      }),
    )
    const { cases } = await check({ url: service.url, apiKey: service.apiKey, write: true })
    const sentences = cases.at(-1)?.findings.map(({ message }) => message)
    expect(sentences).toContain('Created: pet 500, which has quantity 1 and status available')
    // The last case with pet 3, which is sold out, sets it to 0.
    expect(sentences).toContain('Changed and restored: pet 1, pet 3')
    expect(sentences).toHaveLength(4)
  })

  test('is found before an update without a response is repeated', async () => {
    await using service = await startService(MOMENTS['at an update, whose connection breaks'](HARMS['creates a pet']))
    const report = await check({ url: service.url, apiKey: service.apiKey, write: true })
    expect(report.damage).toBe('The next list has a new pet, 500')
    expect(service.pets().filter(({ petId }) => petId === '500')).toHaveLength(1)
  })
})
