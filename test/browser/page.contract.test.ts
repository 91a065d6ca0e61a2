import { startWorker } from '../../src/runtimes/browser.ts'
import { describeContract } from '../contract.ts'
import { connectAxios, connectGlobalFetch } from '../runtimes/clients.ts'

const CLIENTS = {
  'fetch at the page’s own origin': connectGlobalFetch(location.origin),
  'fetch at another origin': connectGlobalFetch('https://api.petstore.example'),
  'axios at the page’s own origin': connectAxios(location.origin),
  'axios at another origin': connectAxios('https://api.petstore.example'),
}

const NO_HEADERS = '@mswjs/interceptors fires load before it sets the headers of a response with the body null'

for (const [name, client] of Object.entries(CLIENTS)) {
  describeContract({
    name: `the page itself with ${name}`,
    cannot: name.startsWith('axios') ? { '204 without a body': NO_HEADERS } : {},
    async connect(mock) {
      const worker = await startWorker(mock, { mode: 'page' })
      return { ...client, close: worker.stop }
    },
  })
}
