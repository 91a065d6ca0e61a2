import { serveChecked } from '../../src/check/serve-checked.ts'
import { describeContract } from '../contract.ts'
import { connectGlobalFetch } from '../runtimes/clients.ts'

describeContract({
  name: 'the server behind Prism',
  async connect(mock) {
    const server = await serveChecked(mock, {
      onViolation: (violation) => {
        throw new Error(`Prism found ${JSON.stringify(violation)}`)
      },
    })
    return { ...connectGlobalFetch(server.url), close: server.close }
  },
})
