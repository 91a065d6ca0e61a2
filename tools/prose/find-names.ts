import { parseSync, Visitor } from 'rolldown/utils'
import type { FoundWords } from './find-words.ts'
import names from './names.json' with { type: 'json' }

const RULES = names.map(({ not, write }) => ({ pattern: new RegExp(`(?<!\\w)(?:${not})(?!\\w)`), write }))

/** Every name in a program that has words of the rules: `#setAside` has `aside`. */
export function findNames(file: string, source: string): FoundWords[] {
  const found: FoundWords[] = []
  const check = ({ name, start }: { name: string; start: number }) => {
    const words = toWords(name)
    for (const { pattern, write } of RULES) {
      if (pattern.test(words)) found.push({ line: source.slice(0, start).split('\n').length, found: name, write })
    }
  }
  const { program } = parseSync(file, source)
  new Visitor({ Identifier: check, PrivateIdentifier: check }).visit(program)
  return found
}

function toWords(name: string): string {
  return name
    .replaceAll(/[a-z\d](?=[A-Z])/g, '$& ')
    .replaceAll('_', ' ')
    .toLowerCase()
}
