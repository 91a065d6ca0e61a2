import { once } from 'node:events'
import { type Command, openPage } from '../command.ts'
import type { Flags } from '../options.ts'
import { runServer } from '../serve/run-server.ts'
import { createServeLog } from '../serve/serve-log.ts'

export const serve: Command<Flags<'serve'>> = {
  summary: 'serve the mock (the default command)',
  examples: [
    ['serve --fixture low-stock', 'start on port 4100 with another inventory'],
    ['serve -p 0 --log json', 'pick a free port and print the URL as JSON'],
    ['serve --base-url /api/v1', 'serve the API at http://127.0.0.1:4100/api/v1'],
    ['serve --proxy https://api.petstore.example', 'forward what the specification does not define'],
    ['serve --state state.json', 'keep the state between runs'],
    ['serve -f stock.json --stubs stubs.yaml --watch', 'edit pets and stubs while the server runs'],
  ],
  run(flags, io) {
    return runServer(flags, {
      io,
      log: flags.log === 'silent' ? undefined : createServeLog(flags.log, io),
      async use({ server: { consoleUrl } }) {
        if (flags.open && consoleUrl !== undefined) await openPage(consoleUrl, io)
        else if (flags.open) io.err('--open: the console is off.')
        if (!io.stop.aborted) await once(io.stop, 'abort')
        return 0
      },
    })
  },
}
