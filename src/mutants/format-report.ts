import { escapeControls } from '../http/quote.ts'
import type { MutantReport } from './run-mutants.ts'

export type MutantReporter = 'pretty' | 'json' | 'junit' | 'markdown' | 'github'

/** Writes a report. What people read has sentences and then a table. */
export function formatReport(report: MutantReport, reporter: MutantReporter): string {
  const { unseen, mutants } = report
  if (reporter === 'json') return JSON.stringify(report, null, 2)
  if (reporter === 'junit') return toJunit(report)
  const sentences = [...mutants.flatMap(({ sentence }) => sentence ?? []), ...unseen].map(escapeControls)
  if (reporter === 'github')
    return sentences.map((each) => `::warning title=petstore-mock mutate::${each.replaceAll('%', '%25')}`).join('\n')
  const rows = mutants.map(({ name, kind, verdict, durationMs }) => [name, kind, verdict, `${durationMs} ms`])
  if (reporter === 'markdown') {
    const table = [['mutant', 'kind', 'verdict', 'time'], ['---', '---', '---', '---'], ...rows]
    const lines = table.map((row) => `| ${row.map((cell) => hide(cell, /[|<`\\]/g)).join(' | ')} |`)
    const list = sentences.map((each) => `- ${hide(each, /[<`]/g)}`)
    return ['## petstore-mock mutate', '', ...list, '', ...lines].join('\n')
  }
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return [...sentences, '', ...lines].join('\n')
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
