import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Command } from '../command.ts'
import { UsageError } from '../io.ts'
import { toReason } from '../read-fixture.ts'

const SCRIPT = 'mockServiceWorker.js'

/** `petstore-mock init`: the worker script of the msw that is installed here, where the site serves it from. */
export const init: Command<{ dir: string }> = {
  summary: "put the service worker script into a site's public folder",
  positionals: { dir: { type: 'string', demandOption: true, describe: 'the folder that is served as /' } },
  async run({ dir }, io) {
    const source = createRequire(import.meta.url).resolve(`msw/${SCRIPT}`)
    const target = join(dir, SCRIPT)
    try {
      await mkdir(dir, { recursive: true })
      await copyFile(source, target)
    } catch (cause) {
      throw new UsageError(`${target} cannot be written (${toReason(cause)}).`, { cause })
    }
    io.out(`${target} is in place. Run this again after an update of msw.`)
    return 0
  },
}
