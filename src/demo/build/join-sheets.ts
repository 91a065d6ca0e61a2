import { glob, readFile } from 'node:fs/promises'

/** The style sheets of a page's folder as one, in the order of their names. */
export async function joinSheets(folder: string): Promise<string> {
  const sheets = await Array.fromAsync(glob(`${folder}/styles/*.css`))
  return (await Promise.all(sheets.sort().map((sheet) => readFile(sheet, 'utf8')))).join('\n')
}
