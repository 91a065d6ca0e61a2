import type { Delay, Fault } from './api/model.ts'
import { readSetting, writeSetting } from './state/place.ts'
import { toUnused } from './state/to-unused.ts'

/** The sandboxes of a mock in this page, as far as the panel knows them. */
export interface LocalSandboxes {
  readonly default: LocalSandbox
  open(name: string): LocalSandbox
  values(): LocalSandbox[]
}

interface LocalSandbox {
  readonly controls: { readonly name: string; setDelay(delay: unknown): void }
  readonly delay: unknown
  readonly faults: { add(fault: object): { readonly id: number }; list(): object[] }
  readonly events: { subscribe(listener: () => void): () => void }
}

/** What is stored of a sandbox. */
interface Kept {
  readonly name: string
  readonly faults: readonly object[]
  readonly delay?: Delay
}

/**
 * Keeps the faults and latencies that are set in the panel while the tab is open, so that a reload has them before its
 * first request. What the page's own code sets is not kept: the code sets it again.
 * @param onCount Called with the number of active faults of the default sandbox, whoever has set them.
 */
export function keepFaults(sandboxes: LocalSandboxes, onCount: (count: number) => void) {
  /** What the panel has set: a fault, as `default 3`, or the latency, as `default`. */
  const own = new Set<string>()

  function restore({ name, faults, delay }: Kept): void {
    const sandbox = sandboxes.open(name)
    for (const fault of faults) own.add(`${name} ${sandbox.faults.add(fault).id}`)
    if (delay === undefined) return
    sandbox.controls.setDelay(delay)
    own.add(name)
  }

  function save(): void {
    const kept = sandboxes.values().map(({ controls: { name }, faults, delay }) => {
      const rest = (faults.list() as Fault[]).filter(({ id }) => own.has(`${name} ${id}`))
      return { name, faults: rest.map(toUnused), ...(own.has(name) && { delay }) }
    })
    writeSetting(
      'faults',
      JSON.stringify(kept, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    )
  }

  function count(): void {
    const { faults, delay } = sandboxes.default
    onCount(faults.list().length + Number(Boolean(delay)))
  }

  try {
    for (const kept of JSON.parse(readSetting('faults') ?? '[]')) restore(kept)
  } catch (error) {
    console.warn('petstore-mock: the faults that this tab had before the reload cannot be used:', error)
  }
  count()
  const unsubscribe = sandboxes.default.events.subscribe(count)
  addEventListener('pagehide', save)
  return {
    /** Notes what a request of the panel has set. */
    async note({ pathname, searchParams }: URL, method: string | undefined, response: Response): Promise<void> {
      const name = searchParams.get('sandbox') ?? ''
      if (method === 'PUT' && pathname.endsWith('/_mock/delay')) own.add(name)
      if (response.status !== 201 || !pathname.endsWith('/_mock/faults')) return
      own.add(`${name} ${(await response.clone().json()).id}`)
    },
    stop(): void {
      save()
      unsubscribe()
      removeEventListener('pagehide', save)
    },
  }
}
