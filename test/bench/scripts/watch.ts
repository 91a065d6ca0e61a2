// Loaded before a server: tells, whenever it is asked, how long its event loop was held and what memory it has.
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a server went through since it was last asked. */
export interface Condition {
  /**
   * The longest work between two turns of the event loop, in milliseconds. It is counted in time of the processor: what
   * other programs take from the thread is not its own work.
   */
  readonly longestHold: number
  /** The same, of turns in which a collection of garbage was under way: no request holds the loop then, V8 does. */
  readonly longestCollection: number
  /** What is in use after a collection, in bytes: the heap, and the buffers outside of it. */
  readonly memory: number
}

interface Turn {
  readonly end: number
  readonly work: number
}

type Collection = PerformanceEntry & { readonly detail: { readonly kind: number } }

/** In milliseconds. Shorter turns are nothing to tell of. */
const NOTABLE = 5
/** For how long V8 marks, in steps between the requests, before a collection ends; in milliseconds. Seen: 200 to 900. */
const MARKING = 1000

let turns: Turn[] = []
let collections: number[] = []
let last = readWork()

setInterval(() => {
  const now = readWork()
  if (now - last > NOTABLE) turns.push({ end: performance.now(), work: now - last })
  last = now
}, 1).unref()

new PerformanceObserver((list) => {
  for (const entry of list.getEntries() as Collection[]) {
    if (entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections.push(entry.startTime + entry.duration)
  }
}).observe({ entryTypes: ['gc'] })

process.on('message', async () => {
  // A collection is told of a moment after it.
  await sleep(100)
  const [inCollection, others] = split(turns)
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  await sleep(100)
  turns = []
  collections = []
  process.send?.({
    longestHold: Math.max(0, ...others),
    longestCollection: Math.max(0, ...inCollection),
    memory: heapUsed + external,
  } satisfies Condition)
})
process.channel?.unref()

function split(all: readonly Turn[]): [inCollection: number[], others: number[]] {
  const isInCollection = ({ end, work }: Turn): boolean =>
    collections.some((collected) => end > collected - MARKING && end - work < collected)
  return [
    all.filter(isInCollection).map(({ work }) => work),
    all.filter((turn) => !isInCollection(turn)).map(({ work }) => work),
  ]
}

function readWork(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
