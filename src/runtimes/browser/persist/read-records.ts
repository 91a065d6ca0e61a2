import { type DocumentRecord, FORMAT, type MetaRecord, type PetRecord, type SandboxRecord } from './state-database.ts'
import { toPetRange, toResult } from './transaction.ts'

/** All that is stored of one sandbox. */
export interface StoredSandbox {
  readonly name: string
  /** `undefined` for a sandbox that is not stored. */
  readonly record: SandboxRecord | undefined
  readonly document: DocumentRecord | undefined
  /** In the order of their keys. */
  readonly pets: readonly PetRecord[]
}

export async function readSandbox(transaction: IDBTransaction, name: string): Promise<StoredSandbox> {
  const record: SandboxRecord | undefined = await toResult(transaction.objectStore('sandboxes').get(name))
  if (record?.document === undefined) return { name, record, document: undefined, pets: [] }
  const [document, pets] = await Promise.all([
    toResult<DocumentRecord | undefined>(transaction.objectStore('documents').get(record.document)),
    toResult<PetRecord[]>(transaction.objectStore('pets').getAll(toPetRange(name))),
  ])
  return { name, record, document, pets }
}

/** What was stored after a change. */
export interface RecordsSince {
  /** The number of the latest change. */
  readonly seq: number
  readonly sandboxes: readonly SandboxRecord[]
  readonly pets: readonly PetRecord[]
}

export async function readSince(transaction: IDBTransaction, seq: number): Promise<RecordsSince> {
  const meta = await readMeta(transaction)
  if (meta.seq === seq) return { seq, sandboxes: [], pets: [] }
  const range = IDBKeyRange.lowerBound(seq, true)
  const [sandboxes, pets] = await Promise.all([
    toResult<SandboxRecord[]>(transaction.objectStore('sandboxes').index('seq').getAll(range)),
    toResult<PetRecord[]>(transaction.objectStore('pets').index('seq').getAll(range)),
  ])
  return { seq: meta.seq, sandboxes, pets }
}

/** @throws {Error} where another release has stored the state in its own format meanwhile. */
export async function readMeta(transaction: IDBTransaction): Promise<MetaRecord> {
  const meta: MetaRecord | undefined = await toResult(transaction.objectStore('meta').get('meta'))
  if (meta?.format === FORMAT) return meta
  throw new Error(`it is in the format ${meta?.format} now, that of another release`)
}
