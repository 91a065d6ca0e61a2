import { PROFILE, type Profile } from '../inventory/profile.ts'
import { readDataFile } from './read-data-file.ts'

/**
 * Reads and checks the file of `--profile`.
 * @throws {UsageError} naming the file and the place in it.
 */
export async function loadProfile(path: string): Promise<Profile> {
  const { content } = await readDataFile({ flag: '--profile', path, schema: PROFILE })
  return content as Profile
}
