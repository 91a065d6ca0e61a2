import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ProgramOutcome, runProgram } from '../run-program.ts'

export const ROOT: string = resolve(import.meta.dirname, '../..')

/** The documents that users get, by their file. */
export const DOCUMENTS = ['spec/openapi.yaml', 'spec/openapi-3.0.yaml'] as const

export function readDocument(file: string): string {
  return readFileSync(resolve(ROOT, file), 'utf8')
}

/** Runs the script of a package, named by its path from the root. */
export function runTool(script: string, args: readonly string[], cwd: string = ROOT): Promise<ProgramOutcome> {
  const env = { NO_COLOR: '1', REDOCLY_TELEMETRY: 'off' }
  return runProgram(process.execPath, [resolve(ROOT, script), ...args], { cwd, env })
}
