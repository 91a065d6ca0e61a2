import { glob, readFile } from 'node:fs/promises'

/** Concatenates the style sheets of a page's folder, ordered by name. */
export async function joinSheets(folder: string): Promise<string> {
  const sheets = await Array.fromAsync(glob(`${folder}/styles/*.css`))
  return (await Promise.all(sheets.sort().map((sheet) => readFile(sheet, 'utf8')))).join('\n')
}
