import { NestingError, parseExactJson, skipString } from '../../http/exact-json.ts'
import { cut } from '../../http/quote.ts'
import { FixtureError } from '../../store/fixture.ts'
import { findJsonFault } from './find-json-fault.ts'
import { findRepeatedName } from './find-repeated-name.ts'

interface JsonFileOptions {
  /** The file's name, for messages. */
  readonly origin: string
  /** Whether comments and trailing commas are allowed, as in VS Code's settings. */
  readonly hasComments: boolean
}

/** In characters. A longer file was written by a program, and the search takes 0.4 s for a million pets. */
const LONGEST_SEARCHED = 4_000_000

/**
 * @throws {FixtureError} with the line and column of a syntax error, or of a name that its object already has. Files of
 * more than 4 million characters are not searched for such names.
 */
export function parseJsonFile(text: string, { origin, hasComments }: JsonFileOptions): unknown {
  const json = hasComments ? blankComments(text) : text
  const value = parse(json, { text, origin, hasComments })
  const repeated = json.length > LONGEST_SEARCHED ? undefined : findRepeatedName(json)
  if (repeated === undefined) return value
  const name = cut(json.slice(repeated, skipString(json, repeated)))
  throw new FixtureError(origin, [`${toPlace(text, repeated)}: the name ${name} is already used in this object`])
}

/** @param text With the comments, which are blanks in `json`. */
function parse(json: string, { text, origin, hasComments }: JsonFileOptions & { readonly text: string }): unknown {
  try {
    return parseExactJson(json)
  } catch (cause) {
    const fault = cause instanceof NestingError ? undefined : findJsonFault(json)
    if (fault === undefined) throw new FixtureError(origin, [`is not JSON: ${(cause as Error).message}`], { cause })
    const found = text[fault.offset]
    const got = found === undefined ? 'the file ends' : `there is ${JSON.stringify(found)}`
    const hint =
      !hasComments && isJson(blankComments(text)) ? '. Only .jsonc files may have comments and trailing commas' : ''
    const reason = `${fault.expected} is expected, and ${got}${hint}`
    throw new FixtureError(origin, [`is not JSON: ${toPlace(text, fault.offset)}: ${reason}`], { cause })
  }
}

function isJson(text: string): boolean {
  try {
    parseExactJson(text)
    return true
  } catch {
    return false
  }
}

/** Where a string or a comment begins. */
const STRING_OR_COMMENT = /"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g
/** A comma is trailing only behind a value. */
const STRING_OR_TRAILING_COMMA = /"|,(?<![[{,]\s*,)(?=\s*[}\]])/g

/** Replaces comments and trailing commas by blanks, so that positions do not change. */
function blankComments(text: string): string {
  return blankOutsideStrings(blankOutsideStrings(text, STRING_OR_COMMENT), STRING_OR_TRAILING_COMMA)
}

/** Strings are skipped by a loop: a pattern that matches a whole string overflows the stack at some 10 MB. */
function blankOutsideStrings(text: string, pattern: RegExp): string {
  let blanked = ''
  let end = 0
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '"') {
      pattern.lastIndex = skipString(text, match.index)
      continue
    }
    blanked += text.slice(end, match.index) + match[0].replaceAll(/[^\n]/g, ' ')
    end = pattern.lastIndex
  }
  return blanked + text.slice(end)
}

function toPlace(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}
