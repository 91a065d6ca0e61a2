import type { Mock } from '../../src/index.ts'
import { type Connection, connectFetch, describeContract } from '../contract.ts'

describeContract({ name: 'mock.fetch', connect: (mock) => connectFetch(mock) })

describeContract({ name: 'mock.fetch with a second of virtual latency', connect: connectThroughVirtualTime })

/** Every answer takes a second of the mock's time, and none of ours. */
function connectThroughVirtualTime(mock: Mock): Connection {
  const { send } = connectFetch(mock)
  mock.clock.useVirtual()
  return {
    async send(request) {
      // The key, and with it the sandbox, is the case's own.
      const name = /~([^~]+)$/.exec(request.headers['authorization'] ?? '')?.[1] ?? 'default'
      if (/^case-\d+$/.test(name)) mock.sandbox(name).setDelay(1000)
      else mock.setDelay(1000)
      const answered = send(request)
      await mock.clock.advance(1000)
      return answered
    },
  }
}
