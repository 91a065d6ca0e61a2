import { once } from 'node:events'
import type { Command } from '../command.ts'
import { type Io, openPage } from '../io.ts'
import { runServer } from '../serve/run-server.ts'
import { checkTogether, SERVE_OPTIONS, type ServeFlags } from '../serve/serve-flags.ts'
import { createServeLog } from '../serve/serve-log.ts'

/** `petstore-mock serve`: runs the mock as a server until a signal stops it. */
export const serve: Command<ServeFlags> = {
  summary: 'serve the mock (the default command)',
  options: SERVE_OPTIONS,
  examples: [
    ['serve --fixture low-stock', 'start on port 4100 with another inventory'],
    ['serve -p 0 --log json', 'pick a free port and print the URL as JSON'],
    ['serve --base-url /api/v1', 'serve the API at http://127.0.0.1:4100/api/v1'],
    ['serve --proxy https://api.petstore.example', 'forward what the specification does not define'],
    ['serve --state state.json', 'keep the state between runs'],
    ['serve -f stock.json --stubs stubs.yaml --watch', 'edit pets and stubs while the server runs'],
  ],
  hasConfig: true,
  check: checkTogether,
  run(flags, io) {
    const log = createServeLog(flags.log, io)
    return runServer(flags, {
      io,
      log,
      async use({ server }) {
        if (flags.open) await openConsole(server.consoleUrl, io)
        if (!io.stop.aborted) await once(io.stop, 'abort')
        return 0
      },
    })
  },
}

async function openConsole(url: string | undefined, io: Io): Promise<void> {
  if (url === undefined) return io.err('--open: the console needs --control-token because --host is not loopback.')
  await openPage(url, io)
}
