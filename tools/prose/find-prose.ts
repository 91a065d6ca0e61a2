import { parseSync, Visitor } from 'rolldown/utils'

/**
 * The prose of a file, with everything else replaced by spaces, so that places stay what they are: of Markdown and YAML
 * what is no code, of TypeScript the comments and the texts that have a space in them.
 */
export function findProse(file: string, source: string): string {
  return hideCode(/\.[jt]sx?$/.test(file) ? hideProgram(file, source) : hideBlocks(source))
}

function hideProgram(file: string, source: string): string {
  const { program, comments } = parseSync(file, source)
  const shown: { start: number; end: number }[] = [...comments]
  const show = (node: { start: number; end: number }) => {
    if (/\s/.test(source.slice(node.start, node.end).trim())) shown.push(node)
  }
  new Visitor({
    Literal: (node) => typeof node.value === 'string' && show(node),
    TemplateElement: show,
    JSXText: (node) => shown.push(node),
  }).visit(program)
  let prose = ''
  for (const { start, end } of shown.sort((a, b) => a.start - b.start)) {
    if (start < prose.length) continue
    prose +=
      blank(source.slice(prose.length, start)) + source.slice(start, end).replaceAll(/^\s*\*|\/\*+|\*\/|\/\//gm, blank)
  }
  return prose
}

/** Hides blocks of code and comments of Markdown. */
function hideBlocks(source: string): string {
  return source.replaceAll(/^( *)```[\s\S]*?^\1```|<!--[\s\S]*?-->/gm, blank)
}

/** Hides code in backticks, targets of links, and addresses. */
function hideCode(prose: string): string {
  return prose.replaceAll(/`[^`\n]*`|\]\([^)]*\)|https?:\/\/\S+/g, blank)
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
