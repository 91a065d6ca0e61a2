import { DEFAULT_SANDBOX, type Delay, type Fault } from './api/model.ts'
import { readSetting, writeSetting } from './state/place.ts'

/** The sandboxes of a mock in this page, as far as the panel knows them. */
export interface LocalSandboxes {
  readonly default: LocalSandbox
  open(name: string): LocalSandbox
}

interface LocalSandbox {
  readonly faults: { add(fault: object): { readonly id: number }; list(): object[] }
  readonly delay: unknown
  readonly controls: { setDelay(delay: unknown): void }
  readonly events: { subscribe(listener: () => void): () => void }
}

/** What is stored of a sandbox. */
interface Kept {
  readonly faults: readonly object[]
  readonly delay?: Delay
}

/**
 * Keeps the faults and latencies that are set in the panel while the tab is open, so that a reload has them before its
 * first request. What the page's own code sets is not kept: the code sets it again.
 * @param onCount Called with the number of active faults of the default sandbox, whoever has set them.
 */
export function keepFaults(sandboxes: LocalSandboxes, onCount: (count: number) => void) {
  /** By sandbox: the ids of the panel's faults, and whether the latency is the panel's. */
  const own = new Map<string, { readonly ids: Set<number>; hasDelay: boolean }>()

  function toOwn(name: string) {
    const known = own.get(name) ?? { ids: new Set(), hasDelay: false }
    own.set(name, known)
    return known
  }

  function restore(name: string, { faults, delay }: Kept): void {
    const sandbox = sandboxes.open(name)
    const known = toOwn(name)
    for (const fault of faults) known.ids.add(sandbox.faults.add(fault).id)
    known.hasDelay = delay !== undefined
    if (known.hasDelay) sandbox.controls.setDelay(delay)
  }

  function save(): void {
    const kept = Array.from(own, ([name, { ids, hasDelay }]) => {
      const { faults, delay } = sandboxes.open(name)
      const rest = (faults.list() as Fault[]).filter(({ id }) => ids.has(id))
      return [name, { faults: rest.map(toUnused), ...(hasDelay && { delay }) }]
    })
    writeSetting(
      'faults',
      JSON.stringify(kept, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    )
  }

  const count = (): void => {
    const { faults, delay } = sandboxes.default
    onCount(faults.list().length + Number(Boolean(delay)))
  }

  try {
    for (const [name, kept] of JSON.parse(readSetting('faults') ?? '[]') as [string, Kept][]) restore(name, kept)
  } catch (error) {
    console.warn('petstore-mock: the faults that this tab had before the reload cannot be used:', error)
  }
  count()
  const unsubscribe = sandboxes.default.events.subscribe(count)
  addEventListener('pagehide', save)
  return {
    /** Notes what a request of the panel has set. */
    async note({ pathname, searchParams }: URL, method: string | undefined, response: Response): Promise<void> {
      if (!response.ok || !/\/_mock\/(faults|delay)$/.test(pathname)) return
      const known = toOwn(searchParams.get('sandbox') ?? DEFAULT_SANDBOX)
      if (method === 'POST') known.ids.add((await response.clone().json()).id)
      if (method === 'PUT') known.hasDelay = true
    },
    stop(): void {
      save()
      unsubscribe()
      removeEventListener('pagehide', save)
    },
  }
}

/** A fault to be added again, with what is left of its `times`. A sequence of statuses starts again. */
function toUnused({ id: _, used, ...fault }: Fault): object {
  const { times, statuses } = fault
  return times === undefined || statuses !== undefined ? fault : { ...fault, times: times - used }
}
