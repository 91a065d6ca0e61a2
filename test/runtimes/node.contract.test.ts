import { interceptRequests } from '../../src/runtimes/node.ts'
import { describeContract } from '../contract.ts'
import { connectAxios, connectGlobalFetch } from './clients.ts'

const CLIENTS = { fetch: connectGlobalFetch, axios: connectAxios }

for (const [name, connectClient] of Object.entries(CLIENTS)) {
  describeContract({
    name: `interceptRequests with ${name}`,
    connect(mock) {
      const interception = interceptRequests(mock)
      return { ...connectClient('https://api.petstore.example'), close: interception.stop }
    },
  })
}
