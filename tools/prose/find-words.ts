import rules from './rules.json' with { type: 'json' }

export interface FoundWords {
  readonly line: number
  readonly found: string
  /** What to write instead. */
  readonly write: string
}

const RULES = rules.map(({ not, write }) => ({
  pattern: new RegExp(`(?<![\\w-])(?:${not.replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi'),
  write,
}))

/** Every place in a text that has words of the rules, also across the end of a line. */
export function findWords(prose: string): FoundWords[] {
  const all = RULES.flatMap(({ pattern, write }) =>
    Array.from(prose.matchAll(pattern), ({ 0: found, index }) => ({
      line: prose.slice(0, index).split('\n').length,
      found: found.replaceAll(/\s+/g, ' '),
      write,
    })),
  )
  return all.sort((a, b) => a.line - b.line)
}
