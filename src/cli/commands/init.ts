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
      const created = await mkdir(dir, { recursive: true })
      await writeFile(target, script)
      const copied = created === undefined ? 'was copied' : 'was copied into a new folder'
      io.out(`${target} ${present === script ? 'is up to date' : copied}. Run this again after you update msw.`)
    } catch (cause) {
      throw toFileError(target, 'written', cause)
    }
    return 0
  },
}

async function readScript(dir: string): Promise<string> {
  try {
    return await readFile(findScript(resolve(dir)), 'utf8')
  } catch (cause) {
    throw new UsageError('msw, which has the worker script, is not installed: npm install --save-dev msw', { cause })
  }
}

/** A page loads the msw that its petstore-mock finds, which need not be the petstore-mock that runs here. */
function findScript(dir: string): string {
  const script = `msw/${SCRIPT}`
  try {
    return createRequire(createRequire(join(dir, SCRIPT)).resolve('petstore-mock/package.json')).resolve(script)
  } catch {
    return createRequire(import.meta.url).resolve(script, { paths: [dir, import.meta.dirname] })
  }
}
