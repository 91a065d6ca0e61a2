import { NestingError, parseExactJson } from '../../http/exact-json.ts'
import { FixtureError } from '../../store/fixture.ts'
import { findJsonFault } from './find-json-fault.ts'

export interface JsonFileOptions {
  /** The file's name, for messages. */
  readonly origin: string
  /** Whether comments and trailing commas are allowed, as in VS Code's settings. */
  readonly hasComments: boolean
}

/** @throws {FixtureError} with the line and column of a syntax error. */
export function parseJsonFile(text: string, { origin, hasComments }: JsonFileOptions): unknown {
  const json = hasComments ? blankComments(text) : text
  try {
    return parseExactJson(json)
  } catch (cause) {
    const fault = cause instanceof NestingError ? undefined : findJsonFault(json)
    if (fault === undefined) throw new FixtureError(origin, [`is not JSON: ${(cause as Error).message}`], { cause })
    const found = text[fault.offset]
    const got = found === undefined ? 'the file ends' : `there is ${JSON.stringify(found)}`
    throw new FixtureError(
      origin,
      [`is not JSON: ${toPlace(text, fault.offset)}: ${fault.expected} is expected, and ${got}`],
      {
        cause,
      },
    )
  }
}

/** Matches strings first, so that a comment inside a string is not one. */
const STRING_OR_COMMENT = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g
const STRING_OR_TRAILING_COMMA = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g

/** Replaces comments and trailing commas by blanks, so that positions do not change. */
function blankComments(text: string): string {
  const blank = (part: string): string => (part.startsWith('"') ? part : part.replaceAll(/[^\n]/g, ' '))
  return text.replaceAll(STRING_OR_COMMENT, blank).replaceAll(STRING_OR_TRAILING_COMMA, blank)
}

function toPlace(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}
