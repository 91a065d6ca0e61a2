import { startWorker } from '../../src/runtimes/browser.ts'
import { describeContract } from '../contract.ts'
import { connectAxios, connectGlobalFetch } from '../runtimes/clients.ts'

const CLIENTS = {
  'fetch at the page’s own origin': connectGlobalFetch(location.origin),
  'fetch at another origin': connectGlobalFetch('https://api.petstore.example'),
  'axios at the page’s own origin': connectAxios(location.origin),
  'axios at another origin': connectAxios('https://api.petstore.example'),
}

for (const [name, client] of Object.entries(CLIENTS)) {
  describeContract({
    name: `the worker with ${name}`,
    async connect(mock) {
      const worker = await startWorker(mock)
      return { ...client, close: worker.stop }
    },
  })
}
