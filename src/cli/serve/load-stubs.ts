import * as v from 'valibot'
import { BASE_URLS } from '../../http/base-url.ts'
import { object, parseOr, type Schema, string } from '../../http/schema.ts'
import { createStubs, type FindStub, type ParsedStub, STUBS, type Stub } from '../../service/stubs.ts'
import { UsageError } from '../io.ts'
import { readContent } from '../read-data-file.ts'

/** A file of stubs. `stubs.schema.json` is generated from it. @internal */
export const STUBS_FILE: Schema<{ readonly stubs: readonly ParsedStub[] }> = object({
  $schema: v.optional(string),
  description: v.optional(v.pipe(string, v.description('One sentence about the purpose of the stubs.'))),
  stubs: v.pipe(STUBS, v.description('Responses to requests that the specification does not show.')),
})

/** The stubs of a file. */
interface LoadedStubs {
  readonly stubs: readonly Stub[]
  readonly findStub: FindStub | undefined
}

/**
 * Reads and checks the file of `--stubs`: YAML, JSON with comments, or JSON, depending on its extension.
 * @param baseUrl The base URL of the service, which the paths of stubs leave out.
 * @throws {UsageError} naming the file and the place in it.
 */
export async function loadStubs(path: string, baseUrl: string): Promise<LoadedStubs> {
  const refuse = (sentence: string): UsageError => new UsageError(`--stubs: ${path}: ${sentence}`)
  const content = await readContent(path, '--stubs')
  if (Array.isArray(content)) throw refuse('the file must be an object, got a list. Wrap it: { "stubs": [...] }')
  const { stubs } = parseOr(STUBS_FILE, content, { subject: 'the file', refuse })
  const bases = parseOr(BASE_URLS, baseUrl, { subject: '--base-url', refuse })
  return { stubs, findStub: createStubs(stubs, { bases, refuse }) }
}
