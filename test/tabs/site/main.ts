import { createMock, type Mock, type MockOptions } from '../../../src/index.ts'
import { type RunningWorker, startWorker, type WorkerOptions } from '../../../src/runtimes/browser.ts'
import { type DatabaseHands, databaseHands } from './database.ts'

/** What a test does in a page of the site. */
export interface Tab {
  readonly mock: Mock
  readonly worker: RunningWorker
  /** @param change Changes the mock before the start. */
  start(
    options?: WorkerOptions,
    mockOptions?: Pick<MockOptions, 'fixture'>,
    change?: (mock: Mock) => void,
  ): Promise<void>
  /** The list as the service sends it. */
  list(sandbox?: string): Promise<string>
  /** Resolves with the status. */
  update(petId: number, quantity: number, sandbox?: string): Promise<number>
  readonly database: DatabaseHands
}

declare global {
  var tab: Tab
}

function ask(path: string, sandbox: string | undefined, init: RequestInit = {}): Promise<Response> {
  const key = sandbox === undefined ? 'demo-key' : `demo-key~${sandbox}`
  return fetch(path, { ...init, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } })
}

const controls: Omit<Tab, 'mock' | 'worker'> = {
  async start(options, mockOptions, change) {
    const mock = createMock(mockOptions)
    change?.(mock)
    const worker = await startWorker(mock, { persist: true, mode: 'page', ...options })
    Object.assign(globalThis.tab, { mock, worker })
  },
  list: async (sandbox) => (await ask('/v1/inventory', sandbox)).text(),
  async update(petId, quantity, sandbox) {
    const body = JSON.stringify({ quantity })
    return (await ask(`/v1/inventory/${petId}`, sandbox, { method: 'PATCH', body })).status
  },
  database: databaseHands,
}
globalThis.tab = controls as Tab
