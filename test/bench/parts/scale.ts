import type { BenchContext } from '../context.ts'
import type { Row } from '../rows.ts'
import { measureReset } from './in-process.ts'
import { measureList } from './scale/list.ts'
import { measureMillion } from './scale/million.ts'
import { measurePatch } from './scale/patch.ts'

/** Whether large inventories cost more than small ones. */
export async function measureScale(context: BenchContext): Promise<Row[]> {
  const rows: Row[] = []
  for (const measure of [measurePatch, measureList, measureReset, measureMillion])
    rows.push(...(await measure(context)))
  return rows
}
