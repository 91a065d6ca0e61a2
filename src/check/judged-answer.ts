import type { Operation } from '../operations/route.ts'

/** What an operation answered, as far as it is judged. */
export interface JudgedAnswer {
  readonly operation: Operation
  readonly status: number
  readonly contentType: string | undefined
  readonly body: Uint8Array
}
