import { spawnBin } from '../cli/start-bin.ts'

/** Runs a line of Node under `petstore-mock mutate`. */
export async function mutate(
  flags: readonly string[],
  line: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  await using bin = spawnBin(['mutate', ...flags, '--', process.execPath, ...line], { env })
  return { code: await bin.exit, out: bin.out(), err: bin.err() }
}
