import { quote } from '../../../http/quote.ts'
import { FORMAT, type MetaRecord, QUARANTINE, type SandboxRecord, toPetRange, toResult } from './state-database.ts'
import { readSandbox, type StoredSandbox } from './stored-sandbox.ts'

export interface LoadedState {
  /** The number of the latest change. */
  readonly seq: number
  /** What could not be restored, and why. */
  readonly problems: readonly string[]
}

/**
 * Reads the stored state. State that cannot be restored, as a whole or of one sandbox, is quarantined.
 * @param restore Restores a sandbox. @throws {Error} if its records are damaged.
 */
export async function loadState(
  transaction: IDBTransaction,
  restore: (stored: StoredSandbox) => void,
): Promise<LoadedState> {
  const meta = transaction.objectStore('meta')
  const records: SandboxRecord[] = await toResult(transaction.objectStore('sandboxes').getAll())
  const found: Partial<MetaRecord> | undefined = await toResult(meta.get('meta'))
  const problem = explain(found, records)
  if (found === undefined || problem !== undefined) {
    if (problem !== undefined) await quarantineAll(transaction, problem)
    // Higher than any number that an open page may have seen.
    const seq = Date.now()
    meta.put({ format: FORMAT, seq } satisfies MetaRecord, 'meta')
    return { seq, problems: problem === undefined ? [] : [problem] }
  }
  return loadSandboxes(transaction, { seq: found.seq ?? 0, records, restore })
}

function explain(meta: Partial<MetaRecord> | undefined, records: readonly SandboxRecord[]): string | undefined {
  if (meta === undefined) return records.length > 0 ? 'it does not say its format' : undefined
  if (meta.format !== FORMAT) return `it is in the format ${quote(meta.format)}, and this release reads ${FORMAT}`
  return Number.isSafeInteger(meta.seq) ? undefined : `its latest change is ${quote(meta.seq)}`
}

interface LoadOptions {
  readonly seq: number
  readonly records: readonly SandboxRecord[]
  readonly restore: (stored: StoredSandbox) => void
}

async function loadSandboxes(transaction: IDBTransaction, options: LoadOptions): Promise<LoadedState> {
  const problems: string[] = []
  let { seq } = options
  for (const { name } of options.records) {
    const stored = await readSandbox(transaction, name)
    // The page creates a deleted sandbox again.
    const problem = stored.record?.document && attempt(() => options.restore(stored))
    if (problem === undefined) continue
    seq += 1
    problems.push(`sandbox ${name}: ${problem}`)
    quarantine(transaction, { problem, sandboxes: [stored.record], documents: [stored.document], pets: stored.pets })
    transaction.objectStore('pets').delete(toPetRange(name))
    transaction.objectStore('sandboxes').put({ name, seq } satisfies SandboxRecord)
  }
  await dropUnused(transaction, options.records)
  if (seq > options.seq) transaction.objectStore('meta').put({ format: FORMAT, seq } satisfies MetaRecord, 'meta')
  return { seq, problems }
}

/** Documents that no stored state starts from any more. */
async function dropUnused(transaction: IDBTransaction, records: readonly SandboxRecord[]): Promise<void> {
  const store = transaction.objectStore('documents')
  const used = new Set(records.map(({ document }) => document))
  for (const id of await toResult(store.getAllKeys())) if (!used.has(String(id))) store.delete(id)
}

function attempt(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

async function quarantineAll(transaction: IDBTransaction, problem: string): Promise<void> {
  const stores = ['meta', 'sandboxes', 'documents', 'pets'].map((name) => transaction.objectStore(name))
  const contents = await Promise.all(stores.map((store) => toResult<unknown[]>(store.getAll())))
  const entries = stores.map((store, index) => [store.name, contents[index]] as const)
  quarantine(transaction, { problem, ...Object.fromEntries(entries) })
  for (const store of stores) store.clear()
}

function quarantine(transaction: IDBTransaction, content: object): void {
  transaction.objectStore(QUARANTINE).add({ at: new Date().toISOString(), ...content })
}
