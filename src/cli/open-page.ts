import type { Io } from './io.ts'

/** Implements `--open`. The program goes on if the browser does not start. */
export async function openPage(url: string, io: Io): Promise<void> {
  await io.open(url).catch((error: Error) => io.err(`--open: could not start a browser (${error.message}).`))
}
