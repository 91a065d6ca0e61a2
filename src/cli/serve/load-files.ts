import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'
import { BASE_URLS } from '../../http/base-url.ts'
import { quote } from '../../http/quote.ts'
import { object, parseOr, read, type Schema, string, toSentence } from '../../http/schema.ts'
import { isUserHandler, type UserHandler } from '../../sandbox/user-handler.ts'
import type { HandlersOption } from '../../service/mock-options.ts'
import { createStubs, type FindStub, type ParsedStub, STUBS, type Stub } from '../../service/stubs.ts'
import { listProblems } from '../../store/fixture.ts'
import { UsageError } from '../command.ts'
import { readContent } from '../data-file.ts'
import { readBytes } from '../files.ts'

/**
 * Loads the module of `--handlers`: an array of msw handlers, or a function that takes the mock and returns one,
 * exported as `default` or as `handlers`.
 */
export async function loadHandlers(path: string): Promise<HandlersOption> {
  const name = `--handlers: ${path}`
  await readBytes(path, name)
  const module = await import(pathToFileURL(resolve(path)).href).catch((cause) => {
    throw new UsageError(`${name} cannot be loaded: ${explainThrown(cause)}`, { cause })
  })
  const { default: standard, handlers = standard } = module as { default?: unknown; handlers?: unknown }
  if (isHandlers(handlers)) return handlers
  if (typeof handlers !== 'function')
    throw new UsageError(
      `${name} must export an array of msw handlers, or a function that returns one, as default or as handlers.`,
    )
  return (mock) => {
    let made: unknown
    try {
      made = handlers(mock)
    } catch (cause) {
      throw new UsageError(`${name}: its function cannot be called: ${explainThrown(cause)}`, { cause })
    }
    if (isHandlers(made)) return made
    throw new UsageError(`${name} must return an array of msw handlers from its function, got ${quote(made)}.`)
  }
}

function isHandlers(value: unknown): value is readonly UserHandler[] {
  return Array.isArray(value) && value.every(isUserHandler)
}

/** A module can throw any value. A module of handlers needs msw, an optional peer dependency that is often missing. */
function explainThrown(value: unknown): string {
  const message = value instanceof Error ? value.message || value.name : quote(value)
  const [line = ''] = message.split('\n')
  const [, missing] = /Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(line) ?? []
  return missing === undefined ? line : `${line}. Install it: npm install --save-dev ${missing}`
}

/** A file of stubs. `stubs.schema.json` is generated from it. @internal */
export const STUBS_FILE: Schema<{ readonly stubs: readonly ParsedStub[] }> = object({
  $schema: v.optional(string),
  description: v.optional(v.pipe(string, v.description('One sentence about the purpose of the stubs.'))),
  stubs: v.pipe(STUBS, v.description('Responses to requests that the specification does not show.')),
})

/**
 * Reads and checks the file of `--stubs`: YAML, JSON with comments, or JSON, depending on its extension.
 * @param baseUrl The base URL of the service, which the paths of stubs leave out.
 * @throws {UsageError} naming the file and each problem with its place.
 */
export async function loadStubs(
  path: string,
  baseUrl: string,
): Promise<{ stubs: readonly Stub[]; findStub: FindStub | undefined }> {
  const origin = `--stubs: ${path}`
  const refuse = (sentence: string): UsageError => new UsageError(`${origin}: ${sentence}`)
  const content = await readContent(path, '--stubs')
  if (Array.isArray(content)) throw refuse('the file must be an object, got a list. Wrap it: { "stubs": [...] }')
  const bases = parseOr(BASE_URLS, baseUrl, { subject: '--base-url', refuse })
  const { output, problems = [] } = { output: undefined, ...read(STUBS_FILE, content) }
  const sentences = problems.map((problem) => toSentence(problem, 'the file'))
  if (output === undefined) throw new UsageError(listProblems(origin, sentences))
  return { stubs: output.stubs, findStub: createStubs(output.stubs, { bases, refuse }) }
}
