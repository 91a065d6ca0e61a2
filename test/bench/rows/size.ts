import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build as bundle, type Rolldown } from 'vite'
import { BUILD, type Build } from '../builds.ts'
import { atMost, below, type Comparison, type Side } from '../compare.ts'

/** What a page loads: row 13. */
export function compareSizes(): Comparison[] {
  const page = { id: 13, rounds: 1, against: "msw's hello world" }
  return [
    {
      ...page,
      what: 'a page in worker mode',
      figures: { size: { unit: 'KB', aim: atMost(1.2) } },
      ours: (build) => measurePage(build, 'worker'),
      theirs: () => measurePage(BUILD, 'msw'),
    },
    {
      ...page,
      what: "a page in `mode: 'page'`",
      figures: { size: { unit: 'KB', aim: below(40, 'KB') } },
      ours: (build) => measurePage(build, 'page'),
    },
  ]
}

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

/** The module that a page imports when it gets its first response. */
const IMPORTED = { worker: 'answer-in-worker', page: 'answer-in-page', msw: undefined } as const

/** What a page really loads until its first response, built and minified by Vite, all chunks gzipped, msw included. */
function measurePage(build: Build, name: keyof typeof PAGES): Side {
  return { measure: async () => ({ size: (await sumPage(build, name)) / 1024 }) }
}

async function sumPage({ folder }: Build, name: keyof typeof PAGES): Promise<number> {
  // As if it lay at the top of the repository, whose packages it imports.
  const input = join(folder, `bench-${name}.js`)
  const built = (await bundle({
    root: folder,
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
        { find: /^petstore-mock$/, replacement: join(folder, 'dist/index.js') },
        { find: 'petstore-mock/browser', replacement: join(folder, 'dist/browser.js') },
      ],
    },
    build: { write: false, minify: true, target: 'es2022', rolldownOptions: { input } },
  })) as Rolldown.RolldownOutput
  const chunks = built.output.filter((file) => file.type === 'chunk')
  const loaded = new Set(chunks.filter((chunk) => chunk.isEntry || isNamed(chunk.name, IMPORTED[name])))
  for (const { imports } of loaded) for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk)
  const sizes = Array.from(loaded, ({ code }) => gzipSync(code, { level: 9 }).byteLength)
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

/** What our own build calls a chunk ends with a hash. */
function isNamed(name: string, wanted: string | undefined): boolean {
  return wanted !== undefined && name.startsWith(wanted)
}
