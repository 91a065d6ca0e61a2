import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export const ROOT: string = resolve(import.meta.dirname, '../..')

/** The documents that users get, by their file. */
export const DOCUMENTS = ['spec/openapi.yaml', 'spec/openapi-3.0.yaml'] as const

export function readDocument(file: string): string {
  return readFileSync(resolve(ROOT, file), 'utf8')
}

export interface ToolOutcome {
  readonly exitCode: number | null
  readonly output: string
}

/** Runs the script of a package, named by its path from the root. */
export function runTool(script: string, args: readonly string[], cwd: string = ROOT): Promise<ToolOutcome> {
  const env = { ...process.env, NO_COLOR: '1', REDOCLY_TELEMETRY: 'off' }
  return new Promise((settle) => {
    const tool = execFile(
      process.execPath,
      [resolve(ROOT, script), ...args],
      { cwd, env, timeout: 100_000 },
      (_error, stdout, stderr) => settle({ exitCode: tool.exitCode, output: `${stdout}${stderr}` }),
    )
  })
}
