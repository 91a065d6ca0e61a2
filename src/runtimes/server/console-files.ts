import { type Answer, createAnswer } from '../../contract/answer.ts'
import type { Call } from '../../contract/call.ts'
import { createErrorAnswer } from '../../contract/error-answer.ts'
import { refuseMethod } from '../../contract/router.ts'
import { CONTROL_PATH } from '../../control/control-path.ts'
import { answerPageFile } from './page-files.ts'

/** The files of the page. They hold no data: all that the page shows it asks the control API for. */
const FILES: readonly string[] = ['index.html', 'console.js', 'console.css', 'icon.svg']

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
  const file = await answerPageFile('console', name)
  return file ?? createErrorAnswer('not_found', 'The console is not built. In a checkout, npm run build makes it')
}

function toFileName(pathname: string): string | undefined {
  if (!pathname.startsWith(`${CONTROL_PATH}/`)) return undefined
  const name = pathname.slice(CONTROL_PATH.length + 1) || 'index.html'
  return FILES.includes(name) ? name : undefined
}
