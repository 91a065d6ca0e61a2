import { ByteBudget } from '../http/byte-budget.ts'

/** What the bodies that are on their way to the control API of one mock may take together, in bytes. */
const UPLOADS_LIMIT = 256 * 1024 ** 2

/** Apart from the routes, which are loaded when the first of them is asked. */
export function createUploads(): ByteBudget {
  return new ByteBudget(UPLOADS_LIMIT)
}
