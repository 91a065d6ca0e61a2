import type { Scalar } from 'yaml'
import { toExactNumber } from '../../http/exact-json.ts'
import { FixtureError } from '../../store/fixture.ts'

/**
 * Reads YAML 1.2. Integers of any size are exact.
 * @throws {FixtureError} with the line and column of a syntax error, or of a number with a leading zero.
 */
export async function parseYamlFile(text: string, origin: string): Promise<unknown> {
  // Loaded only for YAML, because the parser is as large as the rest of the program.
  const { LineCounter, parseDocument, visit } = await import('yaml')
  try {
    const lineCounter = new LineCounter()
    const document = parseDocument(text, { intAsBigInt: true, logLevel: 'error', lineCounter })
    const [error] = document.errors
    if (error === undefined) {
      visit(document, {
        Scalar(place, scalar) {
          if (place === 'key') return
          const problem = explainZero(scalar)
          if (problem === undefined) return reviveFloat(scalar)
          const { line, col } = lineCounter.linePos(scalar.range?.[0] ?? 0)
          throw new FixtureError(origin, [`line ${line}, column ${col}: ${problem}`])
        },
      })
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

/** `007` is decimal in YAML 1.2, octal in YAML 1.1, and for many people a text. */
function explainZero({ value, source = '' }: Scalar): string | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (!isNumber || !/^[-+]?0\d/.test(source)) return undefined
  return `${source} has a leading zero. Write ${toJsonNumber(source)}, or "${source}" if it is text`
}

/** Keeps the source of a number that would be rounded to an integer, as in JSON. */
function reviveFloat(scalar: Scalar): void {
  const { value, source = '' } = scalar
  if (typeof value !== 'number' || !/\d/.test(source)) return
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
