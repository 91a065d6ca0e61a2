import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { type Command, UsageError } from '../command.ts'
import { toFileError } from '../files.ts'
import type { Flags } from '../options.ts'

const SCRIPT = 'mockServiceWorker.js'
/** The first lines of msw's worker script contain this URL in every version. */
const MARK = 'https://github.com/mswjs/msw'

export const init: Command<Flags<'init'> & { dir: string }> = {
  summary: "copy the service worker script into a site's public folder",
  usage: '<dir>',
  positionals: { dir: { type: 'string', demandOption: true, describe: 'the folder served as /' } },
  examples: [['init public/', 'for Vite, whose public folder is served as /']],
  async run({ dir, force }, io) {
    if (basename(dir) === SCRIPT)
      throw new UsageError(`init takes the folder of the script: petstore-mock init ${dirname(dir)}`)
    const script = await readScript(dir)
    const target = join(dir, SCRIPT)
    const present = await readFile(target, 'utf8').catch(() => '')
    if (!force && present.trim() !== '' && !present.slice(0, 1000).includes(MARK))
      throw new UsageError(`${target} already exists and is not msw's worker script. Pass --force to overwrite it.`)
    try {
      await mkdir(dir, { recursive: true })
      await writeFile(target, script)
      io.out(`${target} ${present === script ? 'is up to date' : 'was copied'}. Run this again after you update msw.`)
    } catch (cause) {
      throw toFileError(target, 'written', cause)
    }
    return 0
  },
}

async function readScript(dir: string): Promise<string> {
  try {
    // First the msw of the page, which need not be the one that petstore-mock finds from here.
    const paths = [resolve(dir), import.meta.dirname]
    return await readFile(createRequire(import.meta.url).resolve(`msw/${SCRIPT}`, { paths }), 'utf8')
  } catch (cause) {
    throw new UsageError('msw, which has the worker script, is not installed: npm install --save-dev msw', { cause })
  }
}
