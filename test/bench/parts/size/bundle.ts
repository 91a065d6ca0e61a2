import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { toBeAtMost, toStayBelow } from '../../aim.ts'
import { ROOT } from '../../root.ts'
import { compareRow, countRow, type Row } from '../../row.ts'

const FIRST_REQUEST = "await fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })"

const PAGES = {
  worker: `import { createMock } from 'petstore-mock'
    import { startWorker } from 'petstore-mock/browser'
    await startWorker(createMock())
    ${FIRST_REQUEST}`,
  page: `import { createMock } from 'petstore-mock'
    import { startWorker } from 'petstore-mock/browser'
    await startWorker(createMock(), { mode: 'page' })
    ${FIRST_REQUEST}`,
  msw: `import { HttpResponse, http } from 'msw'
    import { setupWorker } from 'msw/browser'
    await setupWorker(http.get('/v1/inventory', () => HttpResponse.json([]))).start()
    ${FIRST_REQUEST}`,
} as const

/** The modules that a page imports when it is first answered. */
const IMPORTED = { worker: 'answer-in-worker', page: 'answer-in-page', msw: undefined } as const

/** What a page really loads until its first response, built and minified by Vite, all chunks gzipped, msw included. */
export async function measureBundle(): Promise<Row[]> {
  const kilobytes = async (name: keyof typeof PAGES): Promise<number> => (await sumPage(name)) / 1024
  const [worker, page, msw] = [await kilobytes('worker'), await kilobytes('page'), await kilobytes('msw')]
  const title = { id: 13, unit: 'KB' }
  return [
    compareRow(
      { ...title, what: 'a page in worker mode', against: "msw's hello world", aim: toBeAtMost(1.2) },
      { ours: [worker], against: [msw] },
    ),
    countRow({ ...title, what: "a page in `mode: 'page'`", aim: toStayBelow(40, { unit: 'KB' }) }, page),
  ]
}

async function sumPage(name: keyof typeof PAGES): Promise<number> {
  const dist = fileURLToPath(new URL('dist/', ROOT))
  // As if it lay at the top of the repository, whose packages it imports.
  const input = fileURLToPath(new URL(`bench-${name}.js`, ROOT))
  const built = (await build({
    root: fileURLToPath(ROOT),
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === input ? id : null),
        load: (id) => (id === input ? PAGES[name] : null),
      },
    ],
    resolve: {
      alias: [
        { find: /^petstore-mock$/, replacement: `${dist}index.js` },
        { find: 'petstore-mock/browser', replacement: `${dist}browser.js` },
      ],
    },
    build: { write: false, minify: true, target: 'es2022', rolldownOptions: { input } },
  })) as Rolldown.RolldownOutput
  const chunks = built.output.filter((file) => file.type === 'chunk')
  const loaded = new Set(chunks.filter((chunk) => chunk.isEntry || isNamed(chunk.name, IMPORTED[name])))
  for (const { imports } of loaded) for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk)
  return Array.from(loaded, ({ code }) => gzipSync(code, { level: 9 }).byteLength).reduce(
    (sum, bytes) => sum + bytes,
    0,
  )
}

/** What our own build calls a chunk ends with a hash. */
function isNamed(name: string, wanted: string | undefined): boolean {
  return wanted !== undefined && name.startsWith(wanted)
}
