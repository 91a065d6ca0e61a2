// Run in a process of its own, so that the load does not share a thread with what measures it.
import { importPeer } from '../servers/peer-package.ts'

interface Result {
  readonly requests: { readonly total: number }
  readonly duration: number
  readonly errors: number
  readonly non2xx: number
}

const [options = '{}'] = process.argv.slice(2)
const { default: autocannon } = await importPeer<{ default: (options: unknown) => Promise<Result> }>('autocannon')
const { requests, duration, errors, non2xx } = await autocannon(JSON.parse(options))
console.log(JSON.stringify({ sent: requests.total, seconds: duration, failed: errors + non2xx }))
