import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isUserHandler, type UserHandler } from '../../sandbox/user-handler.ts'
import { UsageError } from '../io.ts'
import { toReason } from '../read-fixture.ts'

/** Loads the module of `--handlers`: an array of msw handlers, exported as `default` or as `handlers`. */
export async function loadHandlers(path: string): Promise<readonly UserHandler[]> {
  const { default: standard, handlers = standard } = await importModule(path)
  if (Array.isArray(handlers) && handlers.every(isUserHandler)) return handlers
  throw new UsageError(`--handlers: ${path} must export an array of msw handlers, as default or as handlers.`)
}

async function importModule(path: string): Promise<{ default?: unknown; handlers?: unknown }> {
  try {
    await access(path)
  } catch (cause) {
    throw new UsageError(`--handlers: ${path} cannot be read (${toReason(cause)}).`, { cause })
  }
  try {
    return await import(pathToFileURL(resolve(path)).href)
  } catch (cause) {
    throw new UsageError(`--handlers: ${path} cannot be loaded: ${(cause as Error).message}`, { cause })
  }
}
