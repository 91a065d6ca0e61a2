import type { Exchange } from './journal-entry.ts'

/** Counts requests and responses for Prometheus. */
export interface Metrics {
  count(exchange: CountedExchange): void
  /** Formats all metrics in the Prometheus text format, version 0.0.4, with the current values of `gauges`. */
  write(gauges: Readonly<Record<string, Gauge>>): string
}

type CountedExchange = Pick<Exchange, 'operation' | 'answer' | 'fault' | 'duration'>

/** A value that can go up and down. */
interface Gauge {
  readonly help: string
  readonly value: number
}

/** The upper bounds of the duration histogram's buckets, in seconds. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30]
const PREFIX = 'petstore_mock_'

export function createMetrics(): Metrics {
  /** By operation and status. */
  const requests = new Map<string, Map<number | string, number>>()
  const counts = new Array<number>(BUCKETS.length + 1).fill(0)
  let [seconds, faults] = [0, 0]
  return {
    count({ operation = 'none', answer, fault, duration }) {
      const status = answer?.status ?? 'none'
      const statuses = requests.get(operation) ?? new Map<number | string, number>()
      requests.set(operation, statuses.set(status, (statuses.get(status) ?? 0) + 1))
      const bucket = BUCKETS.findIndex((bound) => duration <= bound * 1000)
      const index = bucket === -1 ? BUCKETS.length : bucket
      counts[index] = (counts[index] ?? 0) + 1
      seconds += duration / 1000
      if (fault !== undefined) faults += 1
    },
    write: (gauges) =>
      [
        ...toHead('requests_total', 'counter', 'Requests by operation and response status.'),
        ...Array.from(requests, ([operation, statuses]) => toCounts(operation, statuses)).flat(),
        ...toHead('faults_total', 'counter', 'Triggered faults.'),
        `${PREFIX}faults_total ${faults}`,
        ...toHead('request_duration_seconds', 'histogram', 'Time from request to response.'),
        ...toHistogram(counts, seconds),
        ...Object.entries(gauges).flatMap(([name, { help, value }]) => [
          ...toHead(name, 'gauge', help),
          `${PREFIX}${name} ${value}`,
        ]),
        '',
      ].join('\n'),
  }
}

function toHead(name: string, type: string, help: string): string[] {
  return [`# HELP ${PREFIX}${name} ${help}`, `# TYPE ${PREFIX}${name} ${type}`]
}

function toCounts(operation: string, statuses: ReadonlyMap<number | string, number>): string[] {
  return Array.from(
    statuses,
    ([status, count]) => `${PREFIX}requests_total{operation="${operation}",status="${status}"} ${count}`,
  )
}

/** Prometheus buckets are cumulative: each includes all smaller ones. */
function toHistogram(counts: readonly number[], seconds: number): string[] {
  const name = `${PREFIX}request_duration_seconds`
  let total = 0
  const buckets = [...BUCKETS, '+Inf'].map((bound, index) => {
    total += counts[index] ?? 0
    return `${name}_bucket{le="${bound}"} ${total}`
  })
  return [...buckets, `${name}_sum ${seconds}`, `${name}_count ${total}`]
}
