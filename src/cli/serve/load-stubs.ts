import * as v from 'valibot'
import { BASE_URLS } from '../../http/base-url.ts'
import { isJsonObject } from '../../http/exact-json.ts'
import { object, parseOr, read, type Schema, string, toSentence } from '../../http/schema.ts'
import { type ParsedStub, STUBS, type Stub } from '../../service/stub.ts'
import { createStubs, type FindStub, listStubProblems } from '../../service/stubs.ts'
import { listProblems } from '../../store/fixture.ts'
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
 * @throws {UsageError} naming the file and each problem with its place.
 */
export async function loadStubs(path: string, baseUrl: string): Promise<LoadedStubs> {
  const origin = `--stubs: ${path}`
  const refuse = (sentence: string): UsageError => new UsageError(`${origin}: ${sentence}`)
  const content = await readContent(path, '--stubs')
  if (Array.isArray(content)) throw refuse('the file must be an object, got a list. Wrap it: { "stubs": [...] }')
  const bases = parseOr(BASE_URLS, baseUrl, { subject: '--base-url', refuse })
  const { output, problems = [] } = { output: undefined, ...read(STUBS_FILE, content) }
  const stubs = isJsonObject(content) && Array.isArray(content['stubs']) ? content['stubs'] : []
  const sentences = problems.map((problem) => toSentence(problem, 'the file'))
  const all = [...sentences, ...listStubProblems(stubs, bases)]
  if (output === undefined || all.length > 0) throw new UsageError(listProblems(origin, all))
  return { stubs: output.stubs, findStub: createStubs(output.stubs, { bases, refuse }) }
}
