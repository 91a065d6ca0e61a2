import type { QueryOf } from '../../control/contract.ts'
import type { Control } from '../api/control.ts'
import type { Exchange } from '../api/model.ts'
import { JOURNAL_LENGTH } from './journal.ts'
import { TRAFFIC_SECONDS, type Traffic, toTraffic } from './traffic.ts'

/** The maximum number of exchanges counted for the last minute. */
const MOST_COUNTED = 100_000

/** Loads the latest exchanges, oldest first, and the traffic of the last minute, which may include more exchanges. */
export async function loadJournal(
  control: Pick<Control, 'ask'>,
): Promise<{ readonly entries: readonly Exchange[]; readonly traffic: Traffic }> {
  const load = (query: QueryOf<'GET /journal'>) => control.ask('GET /journal', { query })
  const latest = await load({ limit: String(JOURNAL_LENGTH) })
  const oldest = latest.entries[0]
  if (latest.entries.length < JOURNAL_LENGTH || oldest === undefined || isBeforeLastMinute(oldest)) {
    return { entries: latest.entries, traffic: toTraffic(latest.entries, { isWhole: latest.dropped === 0 }) }
  }
  const older = await load({ before: String(oldest.id), limit: String(MOST_COUNTED), bodies: 'none' })
  const isWhole = older.dropped === 0 && older.entries.length < MOST_COUNTED
  return { entries: latest.entries, traffic: toTraffic([...older.entries, ...latest.entries], { isWhole }) }
}

function isBeforeLastMinute({ time }: Exchange): boolean {
  return Date.parse(time) < Date.now() - TRAFFIC_SECONDS * 1000
}
