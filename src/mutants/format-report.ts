import { escapeControls } from '../http/quote.ts'
import type { MutantReport } from './run-mutants.ts'

export function formatReport(report: MutantReport, reporter: string): string {
  const { unseen, mutants } = report
  if (reporter === 'json') return JSON.stringify(report, null, 2)
  if (reporter === 'junit') return toJunit(report)
  const list = (wanted: boolean): string[] =>
    mutants.flatMap(({ isFinding, sentence }) => (isFinding === wanted && sentence) || []).map(escapeControls)
  const [findings, others] = [list(true), [...list(false), ...unseen]]
  if (reporter === 'github') {
    const lines = [...findings.map((each) => `warning ${each}`), ...others.map((each) => `notice ${each}`)]
    return lines
      .map((each) => `::${each.replaceAll('%', '%25').replace(' ', ' title=petstore-mock mutate::')}`)
      .join('\n')
  }
  const isMarkdown = reporter === 'markdown'
  const toSection = (heading: string, sentences: readonly string[]): string[] => {
    const items = sentences.map((each) => `- ${isMarkdown ? hide(each, /[<`]/g) : each}`)
    return [`${isMarkdown ? '## ' : ''}${heading}`, ...items, '']
  }
  const rows = mutants.map(({ name, kind, verdict, durationMs }) => [name, kind, verdict, `${durationMs} ms`])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const table = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  const found = toSection(findings.length === 0 ? 'No findings' : 'Findings', findings)
  const information = others.length === 0 ? [] : toSection('For your information', others)
  return [...found, ...information, ...(isMarkdown ? ['```', ...table, '```'] : table)].join('\n')
}

function toJunit({ mutants }: MutantReport): string {
  const cases = mutants.map(({ name, kind, verdict, durationMs, isFinding, sentence = '' }) => {
    const element = isFinding ? 'failure' : verdict === 'not reached' ? 'skipped' : undefined
    const content = element === undefined ? '' : `<${element} message="${hide(escapeControls(sentence))}"/>`
    return `  <testcase classname="${kind}" name="${hide(name)}" time="${durationMs / 1000}">${content}</testcase>`
  })
  const counts = `tests="${cases.length}" failures="${mutants.filter(({ isFinding }) => isFinding).length}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="petstore-mock mutate" ${counts}>\n${cases.join('\n')}\n</testsuite>`
}

function hide(text: string, characters = /[&<>"]/g): string {
  return text.replaceAll(characters, (character) => `&#${character.charCodeAt(0)};`)
}
