import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Command } from '../command.ts'
import { UsageError } from '../io.ts'
import { toReason } from '../read-fixture.ts'
import { FORCE_FLAG } from '../shared-flags.ts'

const SCRIPT = 'mockServiceWorker.js'
/** What the script of every msw says of itself in its first lines. */
const MARK = 'https://github.com/mswjs/msw'

interface InitFlags {
  readonly dir: string
  readonly force: boolean
}

/** `petstore-mock init`: the worker script of the msw that is installed here, where the site serves it from. */
export const init: Command<InitFlags> = {
  summary: "put the service worker script into a site's public folder",
  positionals: { dir: { type: 'string', demandOption: true, describe: 'the folder that is served as /' } },
  options: { force: { ...FORCE_FLAG, describe: `replace a ${SCRIPT} that is not msw's` } },
  examples: [['init public/', 'for Vite, whose public folder is served as /']],
  async run({ dir, force }, io) {
    const script = await readScript()
    const target = join(dir, SCRIPT)
    try {
      await mkdir(dir, { recursive: true })
      if (!force && (await isForeign(target)))
        throw new UsageError(`${target} is there already, and is not msw's worker script. --force replaces it.`)
      await writeFile(target, script)
    } catch (cause) {
      if (cause instanceof UsageError) throw cause
      throw new UsageError(`${target} cannot be written (${toReason(cause)}).`, { cause })
    }
    io.out(`${target} is in place. Run this again after an update of msw.`)
    return 0
  },
}

/** @throws {UsageError} where msw is not installed. */
async function readScript(): Promise<string> {
  try {
    return await readFile(createRequire(import.meta.url).resolve(`msw/${SCRIPT}`), 'utf8')
  } catch (cause) {
    throw new UsageError('msw cannot be found, whose worker script this copies: npm install --save-dev msw', { cause })
  }
}

/** An older script of msw's is replaced by a newer one without a question. */
async function isForeign(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.trim() !== '' && !text.slice(0, 1000).includes(MARK)
}
