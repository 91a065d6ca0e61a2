import type { Io } from './io.ts'

/** `--open`. A browser that does not open is no reason to stop. */
export async function openPage(url: string, io: Io): Promise<void> {
  await io.open(url).catch((error: Error) => io.err(`--open: no browser could be started (${error.message}).`))
}
