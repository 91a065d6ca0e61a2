import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { quote } from '../../http/quote.ts'
import { isUserHandler, type UserHandler } from '../../sandbox/user-handler.ts'
import type { HandlersOption } from '../../service/mock-options.ts'
import { UsageError } from '../io.ts'
import { toFileReason } from '../to-file-reason.ts'

/**
 * Loads the module of `--handlers`: an array of msw handlers, or a function that takes the mock and returns one,
 * exported as `default` or as `handlers`.
 */
export async function loadHandlers(path: string): Promise<HandlersOption> {
  const { default: standard, handlers = standard } = await importModule(path)
  if (isHandlers(handlers)) return handlers
  const wanted = 'an array of msw handlers, or a function that returns one'
  if (typeof handlers !== 'function')
    throw new UsageError(`--handlers: ${path} must export ${wanted}, as default or as handlers.`)
  return (mock) => {
    const made = callHandlers(path, () => handlers(mock))
    if (isHandlers(made)) return made
    throw new UsageError(
      `--handlers: the function of ${path} must return an array of msw handlers, got ${quote(made)}.`,
    )
  }
}

function callHandlers(path: string, call: () => unknown): unknown {
  try {
    return call()
  } catch (cause) {
    throw new UsageError(`--handlers: the function of ${path} cannot be called: ${toThrown(cause)}`, { cause })
  }
}

function isHandlers(value: unknown): value is readonly UserHandler[] {
  return Array.isArray(value) && value.every(isUserHandler)
}

async function importModule(path: string): Promise<{ default?: unknown; handlers?: unknown }> {
  try {
    await access(path)
  } catch (cause) {
    throw new UsageError(`--handlers: ${path} cannot be read (${toFileReason(cause)}).`, { cause })
  }
  try {
    return await import(pathToFileURL(resolve(path)).href)
  } catch (cause) {
    const message = toThrown(cause)
    throw new UsageError(
      `--handlers: ${path} cannot be loaded: ${message}${explainMissing(message)}${explainFormat(message)}`,
      { cause },
    )
  }
}

/** A module of handlers needs msw, an optional peer dependency that is often missing. */
function explainMissing(message: string): string {
  const [, name] = /Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(message) ?? []
  return name === undefined ? '' : `. Install it: npm install --save-dev ${name}`
}

function explainFormat(message: string): string {
  if (!/import statement outside a module|Unexpected token 'export'/.test(message)) return ''
  return '. Name the file .mjs, or set "type": "module" in package.json'
}

/** A module can throw any value. Keeps the first line: a parser's message may have several. */
function toThrown(value: unknown): string {
  const message = value instanceof Error ? value.message || value.name : quote(value)
  return message.split('\n', 1)[0] as string
}
