import { createHash } from 'node:crypto'
import { DEMO_DATA_ID, type DemoData } from '../runtimes/shared/demo-data.ts'

/** Files of a site by their names. */
type SiteFiles = ReadonlyMap<string, Uint8Array | string>

/** Puts data into the files of the demo. Browsers that have the demo with other data then load it again. */
export function withDemoData(files: SiteFiles, data: DemoData): SiteFiles {
  // In a script, `<` could begin its end tag or a comment.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  const page = toText(files, 'index.html')
    .replace(/(?<=<title>)[^<]*/, (title) => (data.title === undefined ? title : escapeText(data.title)))
    .replace('</head>', () => `  <script type="application/json" id="${DEMO_DATA_ID}">${json}</script>\n  </head>`)
  const worker = `self.demoData = '${toHash(json)}';\n${toText(files, 'worker.js')}`
  return new Map([...files, ['index.html', page], ['worker.js', worker]])
}

/** The first letters of the text's SHA-256. */
export function toHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}

/** Whether a page is that of a demo with data. */
export function hasDemoData(page: string): boolean {
  return page.includes(`id="${DEMO_DATA_ID}"`)
}

function toText(files: SiteFiles, name: string): string {
  return Buffer.from(files.get(name) ?? '').toString()
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
