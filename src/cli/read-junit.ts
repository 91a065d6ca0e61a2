import { escapeControls } from '../http/quote.ts'

/** The names of the tests that failed, from a test runner's report as JUnit XML. */
export function readFailedTests(xml: string): Set<string> {
  const [, ...cases] = xml.replaceAll(/<!\[CDATA\[.*?\]\]>|<!--.*?-->/gs, '').split('<testcase')
  const failed = cases.filter((each) => /<(?:failure|error)\b/.test(each))
  return new Set(failed.map((each) => toText(/\sname=(["'])(.*?)\1/s.exec(each)?.[2] ?? '')))
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function toText(xml: string): string {
  const text = xml.replaceAll(/&(?:#(x?[\da-f]+)|(\w+));/gi, (entity, code?: string, name = '') =>
    code === undefined ? (NAMED[name] ?? entity) : String.fromCodePoint(Number(`0${code}`)),
  )
  return escapeControls(text.trim())
}
