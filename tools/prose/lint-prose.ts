// Looks for words that the project does not use in its documentation, comments and messages, and says what to write instead;
// part of `npm run lint`. A program of our own, because textlint alone would add 160 packages to every checkout, and Vale
// downloads a program from outside npm.
import { glob, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findProse } from './find-prose.ts'
import { findWords } from './find-words.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const FILES = ['*.md', '{docs,test}/**/*.md', '{src,tools}/**/*.{js,ts,tsx}', 'spec/*.yaml']

let count = 0
const exclude = (path: string) => /(^|[\\/])(node_modules|dist|\.pages)$|\.gen\.ts$/.test(path)
for (const file of (await Array.fromAsync(glob(FILES, { cwd: ROOT, exclude }))).sort()) {
  const source = await readFile(join(ROOT, file), 'utf8')
  for (const { line, found, write } of findWords(findProse(file, source))) {
    console.error(`${file}:${line}: "${found}". Write instead: ${write}.`)
    count += 1
  }
}
if (count > 0) console.error(`${count} to reword. The words are in tools/prose/rules.json.`)
process.exitCode = count > 0 ? 1 : 0
