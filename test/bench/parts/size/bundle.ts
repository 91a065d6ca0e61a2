import { bundlePage } from '../../../package/bundle-page.ts'
import { toStayBelow } from '../../aim.ts'
import { resolveFromRoot } from '../../root.ts'
import { countRow, type Row } from '../../row.ts'

/** What a page loads of the package: row 13 is what comes with the page; the rest comes when it is used. */
export async function measureBundle(): Promise<Row[]> {
  const name = 'petstore-mock'
  const files = { index: resolveFromRoot(name), browser: resolveFromRoot(`${name}/browser`) }
  const { atOnce, atStart, onDemand } = await bundlePage(files)
  const title = { id: 13, unit: 'KB' }
  return [
    countRow({ ...title, what: 'browser entry with the service', aim: toStayBelow(20, { unit: 'KB' }) }, atOnce / 1024),
    countRow({ ...title, what: 'beside it, when the worker starts' }, atStart / 1024),
    countRow({ ...title, what: 'beside it, what is loaded when it is used' }, onDemand / 1024),
  ]
}
