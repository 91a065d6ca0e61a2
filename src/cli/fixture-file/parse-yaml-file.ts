import { FixtureError } from '../../store/fixture.ts'

/**
 * Reads YAML 1.2. Integers of any size are exact.
 * @throws {FixtureError} with the line and column of a syntax error.
 */
export async function parseYamlFile(text: string, origin: string): Promise<unknown> {
  // Loaded only for YAML, because the parser is as large as the rest of the program.
  const { parseDocument } = await import('yaml')
  try {
    const document = parseDocument(text, { intAsBigInt: true, logLevel: 'error' })
    const [error] = document.errors
    if (error === undefined) return document.toJS({ reviver: toNumberWhereExact })
    const [{ line, col } = { line: 1, col: 1 }] = error.linePos ?? []
    const [reason = ''] = error.message.split(/ at line \d+, column \d+:/)
    throw new FixtureError(origin, [`is not YAML: line ${line}, column ${col}: ${reason}`], { cause: error })
  } catch (cause) {
    if (cause instanceof FixtureError) throw cause
    // Alias bombs, and collections that are nested too deeply.
    throw new FixtureError(origin, [`is not usable YAML: ${(cause as Error).message}`], { cause })
  }
}

function toNumberWhereExact(_key: unknown, value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}
