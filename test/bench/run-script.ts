import type { Processes } from './processes.ts'

/** Runs a script of the bench's in a fresh process; gives the JSON that it wrote. */
export async function runScript<Result>(
  processes: Processes,
  script: URL,
  { args = [], flags = [] }: { args?: readonly string[]; flags?: readonly string[] } = {},
): Promise<Result> {
  return JSON.parse(await processes.run(process.execPath, [...flags, script.pathname, ...args])) as Result
}
