import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { CONTROL_DOCUMENT_JSON } from '../../src/contract/control-document.gen.ts'
import { ROUTE_LIST } from '../../src/control/answer-control.ts'
import { MockError } from '../../src/http/mock-error.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { toService } from '../../src/service/mock.ts'
import { SHIPPED_FIXTURES } from '../../src/store/seed.ts'

describe('GET /_mock/journal', () => {
  test.each([
    ['operation', ['listInventory', 'getPet'], ['list', ''], 'one of listInventory, updateInventory, '],
    ['petId', ['0', '-1', '9223372036854775807'], ['007', '1.0', 'x', ''], 'an int64'],
    ['status', ['100', '404', '599'], ['99', '600', '2000', '4x4', '40', 'x404'], 'an HTTP status'],
    ['after', ['0', '12', '999999999999999'], ['-1', '1.5', '1e3', '1000000000000000', 'x1'], 'an id'],
    ['before', ['0', '12', '999999999999999'], ['-1', '1.5', '1e3', '1000000000000000', 'x1'], 'an id'],
    ['limit', ['1', '10', '999999999'], ['0', '01', '-1', '1.5', '1000000000', 'x1'], 'an integer of 1 or more'],
    ['bodies', ['none'], ['some', 'None', ''], 'none'],
  ])('takes a %s of %j, and none of %j', async (name, good, bad, wanted) => {
    const mock = createMock()
    for (const text of good) expect((await send(mock, 'GET', `/journal?${name}=${text}`)).status).toBe(200)
    for (const text of bad) {
      expect(await refusal(send(mock, 'GET', `/journal?${name}=${text}`))).toEqual([
        400,
        'invalid_request',
        expect.stringMatching(`^${name} must be ${wanted}.*, got "${text}" \\(string\\)$`),
      ])
    }
  })
})

describe('the body of a control request', () => {
  const routes = ROUTE_LIST
  // fetch allows no body with GET.
  const bodiless = routes.filter(({ body, method }) => body === undefined && method !== 'GET')
  const withBody = routes.filter(({ body }) => body !== undefined)
  const toPath = ({ path }: { readonly path: string }): string => path.replaceAll(/\{\w+\}/g, '1')

  test.each(bodiless)('is refused by $method $path, which takes none', async (route) => {
    const mock = createMock()
    mock.inventory.set(1, { quantity: 77 })
    mock.faults.add({ status: 503 })
    const about = (body: string) => refusal(send(mock, route.method, toPath(route), body))
    for (const body of ['garbage{', '[]', '5', '{"a":1}', '{"sandbox":"x"', 'x'.repeat(5000)]) {
      const message = expect.stringMatching(/^The body must be (?:empty|JSON)/)
      expect(await about(body)).toEqual([400, 'invalid_request', message])
    }
    expect(mock.inventory.get(1)?.quantity).toBe(77)
    expect(mock.faults.list()).toHaveLength(1)
    for (const body of ['', '{}', ' {\n} ']) {
      const response = await send(mock, route.method, toPath(route), body)
      expect(await response.text()).not.toContain('must be empty')
    }
  })

  test.each(withBody)('is required by $method $path if its document says so', async (route) => {
    const { required } = JSON.parse(CONTROL_DOCUMENT_JSON).paths[route.path][route.method.toLowerCase()].requestBody
    expect((await send(createMock(), route.method, toPath(route))).status).toBe(required ? 400 : 200)
  })

  test.each(withBody)('has no sandbox with $method $path', async (route) => {
    const body = '{"sandbox":"x","status":503,"quantity":1,"delay":5,"fixture":"empty","mode":"real","inventory":[]}'
    const reason = route.path === '/pets' ? /must be a list of pets/ : /sandbox:? is not known/
    const [status, , message] = await refusal(send(createMock(), route.method, toPath(route), body))
    expect([status, message]).toEqual([400, expect.stringMatching(reason)])
  })
})

test('GET /_mock/health with a body is refused by the server, and the connection stays usable', async () => {
  const server = await serve(createMock())
  onTestFinished(() => server.close())
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ask = (body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-length': String(body.length) }
      const asked = request(`${server.url}/_mock/health`, { agent, headers }, (response) => {
        text(response).then((told) => resolve(`${response.statusCode} ${told}`), reject)
      })
      asked.on('error', reject).end(body)
    })
  expect(await ask('{"sandbox":"x"}')).toMatch(/^400 .*The body must be empty/)
  expect(await ask('{}')).toMatch(/^200 /)
  expect(await ask('')).toMatch(/^200 /)
})

describe('POST /_mock/state/save', () => {
  const save = (saveState?: () => Promise<void>) =>
    send(createMock(saveState === undefined ? {} : { saveState }), 'POST', '/state/save')

  test('saves the state, and says what went wrong', async () => {
    expect((await save(async () => {})).status).toBe(204)
    const full = async () => {
      throw new MockError('STATE_SAVE', 'Failed to save: the disk is full.')
    }
    expect(await refusal(save(full))).toEqual([500, 'internal_error', 'Failed to save: the disk is full.'])
    expect(await refusal(save())).toEqual([400, 'invalid_request', expect.stringContaining('There is no file')])
  })

  test('is a 400 for another error of the mock, as on every control route', async () => {
    const refused = async () => {
      throw new MockError('INVALID_OPTION', 'Failed to save: another reason.')
    }
    expect(await refusal(save(refused))).toEqual([400, 'invalid_request', 'Failed to save: another reason.'])
  })

  test('leaks nothing of a bug', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const bug of [new Error('secret'), Object.assign(new Error('secret'), { code: 'STATE_SAVE' })]) {
      const refused = refusal(save(() => Promise.reject(bug)))
      expect(await refused).toEqual([500, 'internal_error', expect.not.stringContaining('secret')])
      expect(log).toHaveBeenLastCalledWith(bug)
    }
  })
})

test('GET /_mock/fixtures tells what each is for', async () => {
  const fixtures = await (await send(createMock(), 'GET', '/fixtures')).json()
  const shipped = Object.entries(SHIPPED_FIXTURES).map(([name, { description, inventory }]) => {
    return { name, description, pets: inventory.length }
  })
  expect(fixtures).toEqual(shipped)
})

test("a mock's own fixtures are listed before the shipped ones, and loaded by their names", async () => {
  const [five, six] = [5, 6].map((petId) => [{ petId, quantity: 1, status: 'available' as const }])
  const fixtures = { 'five.yaml': { inventory: five ?? [] }, empty: { inventory: six ?? [] } }
  const mock = createMock({ fixtures })
  const listed = await (await send(mock, 'GET', '/fixtures')).json()
  expect(listed.slice(0, 3)).toEqual([
    { name: 'five.yaml', description: 'Of this mock', pets: 1 },
    { name: 'empty', description: 'Of this mock', pets: 1 },
    expect.objectContaining({ name: 'default', pets: 10 }),
  ])
  expect(listed).toHaveLength(1 + Object.keys(SHIPPED_FIXTURES).length)
  const loaded = await (await send(mock, 'POST', '/load', '{"fixture":"empty"}')).json()
  expect(loaded).toEqual({ inventory: six })
  mock.reset()
  expect(mock.inventory.list()).toEqual(five)
  expect(createMock({ fixture: 'empty', fixtures }).inventory.list()).toEqual(six)
  expect(() => mock.load('six.yaml')).toThrow('none named "six.yaml". Use one of five.yaml, empty, default, low-stock,')
})

test('the delay of a sandbox is set, told and taken back', async () => {
  const mock = createMock()
  const delay = async (body?: string) => (await send(mock, body ? 'PUT' : 'GET', '/delay', body)).json()
  expect(await delay()).toEqual({ delay: null })
  expect(await delay('{"delay":[1,2]}')).toEqual({ delay: [1, 2] })
  expect(await delay()).toEqual({ delay: [1, 2] })
  expect(await delay('{"delay":null}')).toEqual({ delay: null })
  expect(toService(mock).sandboxes.default.delay).toBeUndefined()
})

test.each([
  ['GET', '/pets/404', 'unknown_pet', 'There is no pet 404 in the sandbox default'],
  ['DELETE', '/pets/404', 'unknown_pet', 'There is no pet 404'],
  ['DELETE', '/faults/404', 'unknown_fault', 'There is no fault 404 in the sandbox default'],
  ['DELETE', '/sandboxes/none', 'unknown_sandbox', 'There is no sandbox "none"'],
  ['GET', '/pet/404', 'not_found', 'There is no control route GET /_mock/pet/404'],
  ['DELETE', '/sandboxes/default', 'invalid_request', 'The default sandbox cannot be deleted. Reset it'],
  [
    'GET',
    '/pets/1.5',
    'invalid_request',
    'must be an int64: a safe integer, a bigint or a string of digits without leading zeros, got "1.5" (string)',
  ],
  ['PUT', '/pets/1', 'invalid_request', 'The body must be JSON: '],
])('%s %s is refused as %s, and says why', async (method, path, code, message) => {
  const body = method === 'PUT' ? '{' : undefined
  expect(await refusal(send(createMock(), method, path, body))).toEqual([
    code === 'invalid_request' ? 400 : 404,
    code,
    expect.stringContaining(message),
  ])
})

test.each(['0x1', '1.0', '01', '%201'])('DELETE /faults/%s removes no fault', async (id) => {
  const mock = createMock()
  mock.faults.add({ status: 503 })
  expect((await send(mock, 'DELETE', `/faults/${id}`)).status).toBe(404)
  expect(mock.faults.list()).toHaveLength(1)
})

test('a fault is removed by its id, also by one of two digits', async () => {
  const mock = createMock()
  for (let count = 0; count < 10; count += 1) mock.faults.add({ status: 503 })
  expect((await send(mock, 'DELETE', '/faults/x1')).status).toBe(404)
  expect(mock.faults.list()).toHaveLength(10)
  expect((await send(mock, 'DELETE', '/faults/10')).status).toBe(204)
  expect(mock.faults.list().at(-1)?.id).toBe(9)
})

test('GET /_mock/openapi.json is the document of the control API', async () => {
  const document = await (await send(createMock(), 'GET', '/openapi.json')).text()
  expect(document).toBe(CONTROL_DOCUMENT_JSON)
})

test('HEAD /_mock/events opens no stream', async () => {
  const response = await send(createMock(), 'HEAD', '/events')
  expect([response.headers.get('content-type'), response.headers.get('cache-control'), response.body]).toEqual([
    'text/event-stream',
    'no-store',
    null,
  ])
})

function send(mock: Mock, method: string, path: string, body?: string): Promise<Response> {
  return mock.fetch(`/_mock${path}`, { method, ...(body !== undefined && { body }) })
}

async function refusal(response: Promise<Response>): Promise<[status: number, code: string, message: string]> {
  const { code, message } = (await (await response).json()) as { code: string; message: string }
  return [(await response).status, code, message]
}

test.each([
  ['', [1, 2, 3, 4]],
  ['4xx', [2]],
  ['5xx', [3, 4]],
  ['none', [4]],
  ['fault', [3, 4]],
  ['Fault 2 RESET', [4]],
  ['patch 99', [2]],
  // The names of missing values.
  ['undefined', []],
  ['false', []],
  ['is no pet 99', [2]],
  // The body of a response that is no error is not searched.
  ['petId', []],
])('GET /_mock/journal?search=%s finds the exchanges %j, and says how many', async (search, ids) => {
  const mock = createMock()
  const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
  await mock.fetch('/v1/inventory', { headers })
  await mock.fetch('/v1/inventory/99', { method: 'PATCH', headers, body: '{"quantity":1}' })
  mock.faults.add({ status: 503, times: 1 })
  mock.faults.add({ error: 'reset', times: 1 })
  await mock.fetch('/v1/inventory', { headers })
  await mock.fetch('/v1/inventory', { headers }).catch(() => {})
  const query = `/journal?bodies=none&limit=3&search=${encodeURIComponent(search)}`
  const { entries, count } = await (await send(mock, 'GET', query)).json()
  expect([entries.map(({ id }: { id: number }) => id), count]).toEqual([ids.slice(-3), ids.length])
})

test('GET /_mock/journal?bodies=none keeps the Error object of a response, and no other body', async () => {
  const mock = createMock()
  await mock.fetch('/v1/inventory')
  await mock.fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
  const { entries } = await (await send(mock, 'GET', '/journal?bodies=none')).json()
  expect(entries.map(({ answer }: { answer: { body: string } }) => answer.body)).toEqual([
    expect.stringContaining('"message"'),
    '',
  ])
})
