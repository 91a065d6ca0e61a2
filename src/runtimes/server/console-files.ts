import { readFile } from 'node:fs/promises'
import { type Answer, createAnswer } from '../../contract/answer.ts'
import type { Call } from '../../contract/call.ts'
import { createErrorAnswer } from '../../contract/error-answer.ts'
import { refuseMethod } from '../../contract/router.ts'
import { CONTROL_PATH } from '../../control/control-path.ts'

/** The files of the page, and what they are. They hold no data: all that the page shows it asks the control API for. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'console.js': 'text/javascript; charset=utf-8',
  'console.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
}

/** The page talks to the origin it came from and to nobody else, and no other page may frame it. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Whether a path is one of the console's page, of which nobody needs to be kept. */
export function isConsolePath(pathname: string): boolean {
  return pathname === CONTROL_PATH || toFileName(pathname) !== undefined
}

/** The console's page and its files, read when they are asked for. */
export async function answerConsole(call: Call): Promise<Answer> {
  if (call.method !== 'GET' && call.method !== 'HEAD') return refuseMethod(call, 'GET, HEAD')
  const name = toFileName(call.path)
  // Relative, so that it also leads there behind a proxy that puts the double below a path of its own.
  if (name === undefined) return createAnswer(308, '', { location: `${CONTROL_PATH.slice(1)}/${call.url.search}` })
  const file = await readPageFile(name)
  if (file === undefined) {
    return createErrorAnswer('not_found', 'The console is not built. In a checkout, npm run build makes it')
  }
  return createAnswer(200, file, { 'content-type': CONTENT_TYPES[name] ?? '', ...PAGE_HEADERS })
}

function toFileName(pathname: string): string | undefined {
  if (!pathname.startsWith(`${CONTROL_PATH}/`)) return undefined
  const name = pathname.slice(CONTROL_PATH.length + 1) || 'index.html'
  return Object.hasOwn(CONTENT_TYPES, name) ? name : undefined
}

/** The package finds itself by its name, be it run from its sources or as it is published. */
async function readPageFile(name: string): Promise<string | undefined> {
  try {
    return await readFile(
      new URL(`dist/console/${name}`, import.meta.resolve('petstore-inventory-mock/package.json')),
      'utf8',
    )
  } catch {
    return undefined
  }
}
