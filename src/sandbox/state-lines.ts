import { isSandboxName } from '../auth/sandbox-name.ts'
import { isJsonObject } from '../http/exact-json.ts'
import { quote } from '../http/quote.ts'
import { FixtureError } from '../store/fixture.ts'
import type { StateSnapshot } from '../store/inventory-state.ts'
import type { Seed } from '../store/seed.ts'
import { STATE_VERSION } from './state-document.ts'
import { ChangesReader, SeedReader, StateProblem } from './state-readers.ts'

/** The properties of each kind of line; the first one names the kind. */
const KINDS = {
  version: ['version'],
  seed: ['seed'],
  pets: ['pets'],
  sandbox: ['sandbox', 'seed'],
  removed: ['removed'],
  changed: ['changed'],
  added: ['added'],
  end: ['end'],
} as const

type Kind = keyof typeof KINDS
type Line = Record<string, unknown>

/** Parses the lines of a state document one by one. */
export class StateLines {
  readonly #mockSeed: Seed
  readonly #origin: string
  readonly #seeds: Seed[] = []
  readonly #states = new Map<string, StateSnapshot>()
  #seed: SeedReader | undefined
  #changes: ChangesReader | undefined
  #isEnded = false
  /** The number of lines read so far. */
  count = 0

  constructor(mockSeed: Seed, origin: string) {
    this.#mockSeed = mockSeed
    this.#origin = origin
  }

  read(text: string): void {
    this.count += 1
    if (this.#seed?.skip(text) === true || /^\s*$/.test(text)) return
    const line = this.#parse(text)
    if (this.count === 1) this.#assertVersion(line)
    if (this.#isEnded) this.fail('comes after the end')
    try {
      this.#readers[this.#toKind(line)](line)
    } catch (error) {
      throw error instanceof StateProblem ? this.fail(error.message) : error
    }
  }

  /** Returns the states by sandbox name. */
  finish(): Map<string, StateSnapshot> {
    if (this.#isEnded) return this.#states
    throw new FixtureError(this.#origin, [`is incomplete: it ends after line ${this.count}`])
  }

  fail(problem: string): never {
    throw new FixtureError(this.#origin, [`line ${this.count}: ${problem}`])
  }

  readonly #readers: Readonly<Record<Kind, (line: Line) => void>> = {
    version: () => this.count > 1 && this.fail('version: must be in the first line'),
    seed: (line) => this.#readSeed(line),
    pets: ({ pets }) => (this.#seed ?? this.fail('pets: must follow a seed')).add(pets),
    sandbox: (line) => this.#readSandbox(line),
    removed: ({ removed }) => this.#toSandbox('removed').remove(removed),
    changed: ({ changed }) => this.#toSandbox('changed').change(changed),
    added: ({ added }) => this.#toSandbox('added').add(added),
    end: (line) => this.#readEnd(line),
  }

  #parse(text: string): Line {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (cause) {
      this.fail(`is not JSON: ${(cause as Error).message}`)
    }
    if (isJsonObject(value)) return value
    this.fail(`must be a JSON object, got ${quote(value)}`)
  }

  #toKind(line: Line): Kind {
    const [kind = '', ...others] = Object.keys(line)
    if (!Object.hasOwn(KINDS, kind)) this.fail(`must begin with ${Object.keys(KINDS).join(', ')}, got ${quote(line)}`)
    const known: readonly string[] = KINDS[kind as Kind]
    const unknown = others.find((name) => !known.includes(name))
    if (unknown !== undefined) this.fail(`${quote(unknown)} is not allowed beside ${kind}`)
    return kind as Kind
  }

  #assertVersion({ version }: Line): void {
    if (version === STATE_VERSION) return
    throw new FixtureError(this.#origin, [
      `version: must be 1 or ${STATE_VERSION}, got ${quote(version)}; the file is from a later release`,
    ])
  }

  #readSeed({ seed }: Line): void {
    if (typeof seed !== 'string') this.fail(`seed: must be the name of a fixture, got ${quote(seed)}`)
    this.#close()
    this.#seed = new SeedReader(seed, this.#mockSeed)
  }

  #readSandbox({ sandbox, seed }: Line): void {
    this.#close()
    if (typeof sandbox !== 'string' || !isSandboxName(sandbox))
      this.fail(`sandbox: must be the name of a sandbox, got ${quote(sandbox)}`)
    if (this.#states.has(sandbox)) this.fail(`sandbox: ${sandbox} is a duplicate`)
    const base = typeof seed === 'number' ? this.#seeds[seed] : undefined
    if (base === undefined) this.fail(`seed: must be the index of a seed, got ${quote(seed)}`)
    this.#changes = new ChangesReader(base)
    this.#states.set(sandbox, this.#changes)
  }

  #readEnd({ end }: Line): void {
    this.#close()
    if (end !== this.#states.size) this.fail(`end: there are ${this.#states.size} sandboxes, not ${quote(end)}`)
    this.#isEnded = true
  }

  #toSandbox(kind: Kind): ChangesReader {
    return this.#changes ?? this.fail(`${kind}: must follow a sandbox`)
  }

  #close(): void {
    this.#changes = undefined
    if (this.#seed === undefined) return
    this.#seeds.push(this.#seed.close())
    this.#seed = undefined
  }
}
