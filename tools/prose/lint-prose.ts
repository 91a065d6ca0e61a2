// Warns of words in documentation, comments and messages that readers stumbled over, and says what to write instead. Part
// of `npm run lint`. A program of our own, because textlint alone would add 160 packages to every checkout.
import { glob, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findProse } from './find-prose.ts'
import { findWords } from './find-words.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const FILES = ['*.md', '{docs,test}/**/*.md', '{src,tools}/**/*.{js,ts,tsx}', 'spec/*.yaml']

const exclude = (path: string) => /(^|[\\/])(node_modules|dist|\.pages)$|\.gen\.ts$/.test(path)
for (const file of (await Array.fromAsync(glob(FILES, { cwd: ROOT, exclude }))).sort()) {
  const source = await readFile(join(ROOT, file), 'utf8')
  for (const { line, found, write } of findWords(findProse(file, source))) {
    console.warn(`${file}:${line}: "${found}". Write instead: ${write}.`)
  }
}
