// Run in a process of its own, so that the load does not share a thread with what measures it.
import { importPeer } from '../builds.ts'

interface Result {
  readonly requests: { readonly total: number }
  readonly duration: number
  readonly latency: { readonly p99: number }
  readonly errors: number
  readonly non2xx: number
}

const [options = '{}'] = process.argv.slice(2)
const { default: autocannon } = await importPeer<{ default: (options: unknown) => Promise<Result> }>('autocannon')
const { requests, duration, latency, errors, non2xx } = await autocannon(JSON.parse(options))
const failed = errors + non2xx
console.log(JSON.stringify({ sent: requests.total, seconds: duration, failed, p99: latency.p99 }))
