import { once } from 'node:events'
import { VERSION } from '../../contract/version.ts'
import { isLoopback } from '../../http/base-url.ts'
import type { Command } from '../command.ts'
import { openPage, UsageError } from '../io.ts'

/** `petstore-mock demo`: serves the files of the offline demo until a signal stops it. The mock runs in the page. */
export const demo: Command<'demo'> = {
  summary: 'serve the offline demo: the console with a mock in its service worker',
  examples: [['demo --open', 'serve the demo on port 4101 and open it']],
  async run({ port, host, open }, io) {
    const { createDemoFiles } = await import('../../runtimes/server/demo-files.ts')
    const { serveRequests } = await import('../../runtimes/server/serve-requests.ts')
    const files = createDemoFiles()
    if (!(await files.isBuilt())) throw new UsageError('the demo is not built. In a checkout, run npm run build:demo.')
    const server = await serveRequests(files, { port, host, control: false })
    const url = `${server.url}/`
    io.out(`petstore-mock ${VERSION} serves the demo at ${url}`)
    io.out('  state    stays in the browser; nothing is sent to this server')
    io.out('  offline  once opened, the demo works without this server')
    if (!isLoopback(host))
      io.out('  https    is required from other machines: browsers allow service workers only over https')
    if (open) await openPage(url, io)
    if (!io.stop.aborted) await once(io.stop, 'abort')
    await server.close()
    return 0
  },
}
