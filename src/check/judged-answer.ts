import type { ContractOperation } from '../operations/define-operation.ts'

/** What an operation answered, as far as it is judged. */
export interface JudgedAnswer {
  readonly operation: ContractOperation
  readonly status: number
  readonly contentType: string | undefined
  readonly body: Uint8Array
}
