import { MockError } from '../http/mock-error.ts'
import { type Operate, runOperation } from '../operations/operations.ts'
import { type Change, findMutant, type Turn } from './mutants.ts'

/** The part of Node's `process` that a mutant needs. The core has no Node. */
export interface Process {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stderr: { write(text: string): void }
  petstoreMockNotes?: Set<string>
  /** Not an import, because a test may replace the module. */
  getBuiltinModule(name: 'node:fs'): { writeFileSync(path: string, text: string, options: { flag: string }): void }
}

export const SOUND = 'none'
export const ALTERED = 'altered'
export const ANNOUNCED = 'announced'

/** @throws {MockError} `INVALID_OPTION` for an unknown name, and where `NODE_ENV` is `production`. */
export function applyMutant(parts: { mutant: Operate | undefined }, process: Process): void {
  const { PETSTORE_MOCK_MUTANT: name = SOUND, NODE_ENV: mode } = process.env
  if (mode === 'production')
    throw new MockError('INVALID_OPTION', `PETSTORE_MOCK_MUTANT=${name} is refused: NODE_ENV is production.`)
  const note = createNotes(name, process)
  const change: Change = name === SOUND ? ({ next }) => next() : findMutant(name).change
  const memory: Turn['memory'] = new WeakMap()
  const isAmong: Turn['isAmong'] = (most) => Array.from({ length: most }).some((_, index) => note(`${index}`))
  parts.mutant = async (given) => {
    const next: Turn['next'] = (changes) => runOperation({ ...given, ...changes })
    const response = await change({ ...given, memory, next, isAmong, alter: () => void note(ALTERED) })
    note(`${given.operation.id} ${response.status}`)
    return response
  }
  if (name !== SOUND && note(ANNOUNCED)) process.stderr.write(`petstore-mock: this mock is the mutant ${name}.\n`)
}

/** Notes facts as empty files, and tells whether one is new. All mocks of a run share the folder, those of a process the memory. */
function createNotes(name: string, process: Process): (fact: string) => boolean {
  process.petstoreMockNotes ??= new Set()
  const noted = process.petstoreMockNotes
  const { PETSTORE_MOCK_MUTANT_NOTES: folder } = process.env
  return (fact) => {
    const key = `${folder} ${name} ${fact}`
    const isNew = !noted.has(key)
    noted.add(key)
    if (!isNew || folder === undefined) return isNew
    try {
      process.getBuiltinModule('node:fs').writeFileSync(`${folder}/${fact}`, '', { flag: 'wx' })
      return true
    } catch {
      return false
    }
  }
}
