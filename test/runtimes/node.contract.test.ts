import { connectMock } from '../../src/client/connect-mock.ts'
import { interceptRequests } from '../../src/runtimes/node.ts'
import { serve } from '../../src/runtimes/server.ts'
import { toService } from '../../src/service/mock.ts'
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
  describeContract({
    name: `interceptRequests with a mock elsewhere and ${name}`,
    async connect(mock) {
      const server = await serve(mock)
      const [{ path }] = toService(mock).bases
      const interception = interceptRequests(connectMock(server.url + path))
      const close = (): Promise<void> => {
        interception.stop()
        return server.close()
      }
      return { ...connectClient('https://api.petstore.example'), close }
    },
  })
}
