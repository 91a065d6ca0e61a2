import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { type Answer, createAnswer } from '../../contract/answer.ts'

/** The pages that the package holds, each in a folder of its own, without folders in it. */
export type PageName = 'console' | 'demo'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/** The page talks to the origin it came from and to nobody else, and no other page may frame it. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** A file of a page, read anew each time; `undefined` where the page is not built. */
export async function answerPageFile(page: PageName, name: string): Promise<Answer | undefined> {
  const content = await readFile(new URL(name, toFolder(page)), 'utf8').catch(() => undefined)
  if (content === undefined) return undefined
  return createAnswer(200, content, { 'content-type': CONTENT_TYPES[extname(name)] ?? '', ...PAGE_HEADERS })
}

/** The names of a page's files; none where it is not built. */
export async function listPageFiles(page: PageName): Promise<readonly string[]> {
  return readdir(toFolder(page)).catch(() => [])
}

/** The package finds itself by its name, be it run from its sources or as it is published. */
function toFolder(page: PageName): URL {
  return new URL(`dist/${page}/`, import.meta.resolve('petstore-inventory-mock/package.json'))
}
