import { once } from 'node:events'
import { VERSION } from '../../contract/version.ts'
import type { Command } from '../command.ts'
import { type Io, openPage, UsageError } from '../io.ts'
import { HOST_FLAG, PORT_FLAG } from '../shared-flags.ts'

interface DemoFlags {
  readonly port: number
  readonly host: string
  readonly open: boolean
}

/** `petstore-mock demo`: serves the files of the offline demo until a signal stops it. The mock runs in the page. */
export const demo: Command<DemoFlags> = {
  summary: 'serve the offline demo: the console with a mock in its service worker',
  options: {
    port: { ...PORT_FLAG, default: 4101 },
    host: HOST_FLAG,
    open: { type: 'boolean', default: false, describe: 'open the demo in the browser' },
  },
  examples: [['demo --open', 'serve the demo on port 4101 and open it']],
  async run({ port, host, open }, io) {
    const { createDemoFiles } = await import('../../runtimes/server/demo-files.ts')
    const { serveRequests } = await import('../../runtimes/server/serve-requests.ts')
    const files = createDemoFiles()
    if (!(await files.isBuilt())) throw new UsageError('the demo is not built. In a checkout, run npm run build:demo.')
    const server = await serveRequests(files, { port, host, control: false })
    const { isLoopback } = await import('../../http/base-url.ts')
    announce(`${server.url}/`, io)
    if (!isLoopback(host))
      io.out('  https    is required from other machines: browsers allow service workers only over https')
    if (open) await openPage(`${server.url}/`, io)
    if (!io.stop.aborted) await once(io.stop, 'abort')
    await server.close()
    return 0
  },
}

function announce(url: string, io: Io): void {
  io.out(`petstore-mock ${VERSION} serves the demo at ${url}`)
  io.out('  state    stays in the browser; nothing is sent to this server')
  io.out('  offline  once opened, the demo works without this server')
}
