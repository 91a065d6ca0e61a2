import type { BenchContext } from '../context.ts'
import type { Row } from '../row.ts'
import { measureBundle } from './size/bundle.ts'
import { measureInstall } from './size/install.ts'

/** What a page loads and a disk holds. */
export async function measureSize(context: BenchContext): Promise<Row[]> {
  return [...(await measureBundle()), ...(await measureInstall(context))]
}
