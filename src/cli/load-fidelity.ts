import { FIDELITY, type Fidelity } from '../control/fidelity.ts'
import { readDataFile } from './read-data-file.ts'

/**
 * Reads and checks a file that `check --record` wrote.
 * @param flag The flag that names the file.
 * @throws {UsageError} naming the flag, the file and the place in it.
 */
export async function loadFidelity(path: string, flag: string): Promise<Fidelity> {
  const { parsed } = await readDataFile({ flag, path, schema: FIDELITY })
  return parsed
}
