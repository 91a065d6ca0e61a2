import { afterEach, expect, test, vi } from 'vitest'
import { ROUTE_LIST } from '../../src/control/answer-control.ts'
import { createMock } from '../../src/index.ts'

/** The parameters of each route. `sandbox` is read for all of them, before their own. */
const PARAMETERS = ROUTE_LIST.flatMap((route) =>
  Object.keys(route.parameters)
    .filter((name) => name !== 'sandbox')
    .map((name) => ({ route, name })),
)

/** A value that each parameter accepts. */
const VALUES: Readonly<Record<string, string>> = {
  sandboxes: 'all',
  fixture: 'keep',
  operation: 'listInventory',
  method: 'GET',
  path: '/orders',
  petId: '1',
  status: '404',
  after: '0',
  before: '1',
  bodies: 'none',
  search: 'get',
  limit: '1',
}

afterEach(() => vi.restoreAllMocks())

/** A parameter that nothing reads would be accepted and have no effect. */
test.each(PARAMETERS)('$route.method /_mock$route.path reads $name', async ({ route, name }) => {
  const read = new Set<string | symbol>()
  const answer = route.answer.bind(route)
  vi.spyOn(route, 'answer').mockImplementation((context) =>
    answer({ ...context, query: watch((context as { query: object }).query, read) }),
  )
  const path = route.path.replaceAll(/\{\w+\}/g, '1')
  await createMock().fetch(`http://localhost/_mock${path}?${name}=${VALUES[name]}`, { method: route.method })
  expect([...read]).toContain(name)
})

function watch<Target extends object>(target: Target, read: Set<string | symbol>): Target {
  return new Proxy(target, {
    get(query, name) {
      read.add(name)
      return Reflect.get(query, name) as unknown
    },
  })
}
