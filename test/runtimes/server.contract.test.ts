import { serve } from '../../src/runtimes/server.ts'
import { describeContract } from '../contract.ts'
import { connectAxios, connectGlobalFetch } from './clients.ts'

const CLIENTS = { fetch: connectGlobalFetch, axios: connectAxios }

for (const [name, connectClient] of Object.entries(CLIENTS)) {
  describeContract({
    name: `the server over TCP with ${name}`,
    async connect(mock) {
      const server = await serve(mock)
      return { ...connectClient(server.url), close: server.close }
    },
  })
}
