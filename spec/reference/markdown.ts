/** The first lines of every page of the reference. */
export function toHead(title: string, intro: string): string {
  return `# ${title}\n\n<!-- Made by \`npm run generate\`. Do not edit. -->\n\n${intro}\n`
}

/** A table, or nothing without rows. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(toCell).join(' | ')} |`)
  return `${lines.join('\n')}\n`
}

/** The parts of a page with one empty line between them. */
export function toPage(parts: readonly string[]): string {
  const texts = parts.map((part) => part.trim()).filter((part) => part !== '')
  return `${texts.join('\n\n')}\n`
}

export function toCode(text: string): string {
  return `\`${text}\``
}

function toCell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
}
