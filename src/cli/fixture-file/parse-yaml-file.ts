import type { Scalar } from 'yaml'
import { toExactNumber } from '../../http/exact-json.ts'
import { FixtureError } from '../../store/fixture.ts'

/**
 * Reads YAML 1.2. Integers of any size are exact.
 * @throws {FixtureError} with the line and column of a syntax error.
 */
export async function parseYamlFile(text: string, origin: string): Promise<unknown> {
  // Loaded only for YAML, because the parser is as large as the rest of the program.
  const { parseDocument, visit } = await import('yaml')
  try {
    const document = parseDocument(text, { intAsBigInt: true, logLevel: 'error' })
    const [error] = document.errors
    if (error === undefined) {
      visit(document, { Scalar: reviveFloat })
      return document.toJS({ reviver: toNumberWhereExact })
    }
    const [{ line, col } = { line: 1, col: 1 }] = error.linePos ?? []
    const [reason = ''] =
      error.code === 'MULTIPLE_DOCS' ? [SECOND_DOCUMENT] : error.message.split(/ at line \d+, column \d+:/)
    throw new FixtureError(origin, [`is not YAML: line ${line}, column ${col}: ${reason}`], { cause: error })
  } catch (cause) {
    if (cause instanceof FixtureError) throw cause
    // Alias bombs, and collections that are nested too deeply.
    throw new FixtureError(origin, [`is not usable YAML: ${(cause as Error).message}`], { cause })
  }
}

const SECOND_DOCUMENT = 'a second document begins, and only one is allowed'

/** Keeps the source of a number that would be rounded to an integer, as in JSON. */
function reviveFloat(place: unknown, scalar: Scalar): void {
  const { value, source = '' } = scalar
  if (place === 'key' || typeof value !== 'number' || !/\d/.test(source)) return
  scalar.value = toExactNumber(value, toJsonNumber(source))
}

/** YAML also allows `+5.0`, `05.0`, `.5` and `5.` */
function toJsonNumber(source: string): string {
  return source
    .replace(/^\+/, '')
    .replace(/^(-?)0*(?=\d)/, '$1')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?!\d)/, '')
}

function toNumberWhereExact(_key: unknown, value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}
