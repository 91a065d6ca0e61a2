import { bundlePage, toSize, withImports } from '../../package/bundle-page.ts'
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

/** What a page really loads until its first response, minified, all chunks gzipped, msw included. */
function measurePage({ folder }: Build, name: keyof typeof PAGES): Side {
  return {
    async measure() {
      const chunks = await bundlePage(PAGES[name], { root: folder })
      const imported = IMPORTED[name]
      const loaded = withImports(
        chunks,
        ({ isEntry, name: chunk }) => isEntry || (imported !== undefined && chunk.startsWith(imported)),
      )
      return { size: toSize(loaded) / 1024 }
    },
  }
}
