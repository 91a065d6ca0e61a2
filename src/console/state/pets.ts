import { type Pet, parseJson } from '../api/model.ts'

export const STATUSES = ['available', 'pending', 'sold'] as const

/** A pet in the console's list. */
export interface ListedPet extends Pet {
  /** When it last changed while the page was open, by `performance.now()`; 0 if never. */
  readonly changedAt: number
}

/** The pets in the mock's order. Every change creates a new object around the same Map. */
export interface PetList {
  readonly byId: ReadonlyMap<string, ListedPet>
}

export type PetEvent = { readonly pet: Pet } | { readonly removed: string }

export function createPetList(pets: readonly Pet[] = []): PetList {
  return { byId: new Map(pets.map((pet) => [pet.petId, { ...pet, changedAt: 0 }])) }
}

/** Applies an event to the list. Mutates the Map, because copying a large one for every event is slow. */
export function applyPetEvent({ byId }: PetList, event: PetEvent): PetList {
  const pets = byId as Map<string, ListedPet>
  if ('removed' in event) pets.delete(event.removed)
  else {
    const { pet } = event
    const known = pets.get(pet.petId)
    const isSame = known?.quantity === pet.quantity && known.status === pet.status
    pets.set(pet.petId, { ...pet, changedAt: isSame ? known.changedAt : performance.now() })
  }
  return { byId: pets }
}

export type SortColumn = 'petId' | 'status' | 'quantity'
export interface Sort {
  readonly column: SortColumn
  readonly isDescending: boolean
}

/** Which pets to show, and in which order. */
export interface RowQuery {
  /** Part of the id; empty for all pets. */
  readonly id: string
  /** The statuses to show; empty for all. */
  readonly statuses: readonly string[]
  /** `undefined` keeps the mock's order. */
  readonly sort: Sort | undefined
}

export function toPetRows({ byId }: PetList, { id, statuses, sort }: RowQuery): readonly ListedPet[] {
  const wanted = id.trim()
  const rows = [...byId.values()].filter(
    ({ petId, status }) => petId.includes(wanted) && (statuses.length === 0 || statuses.includes(status)),
  )
  if (sort === undefined) return rows
  const compare = COMPARERS[sort.column]
  return rows.sort(sort.isDescending ? (a, b) => compare(b, a) : compare)
}

type Comparer = (a: ListedPet, b: ListedPet) => number

const COMPARERS: Readonly<Record<SortColumn, Comparer>> = {
  petId: (a, b) => compareIds(a.petId, b.petId),
  status: (a, b) => (a.status < b.status ? -1 : Number(a.status > b.status)),
  quantity: (a, b) => a.quantity - b.quantity,
}

export function compareIds(a: string, b: string): number {
  const difference = BigInt(a) - BigInt(b)
  return difference < 0n ? -1 : Number(difference > 0n)
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

interface PastedPets {
  /** Not checked. */
  readonly pets: readonly unknown[]
  /** The line of each pet, except of JSON. */
  readonly lines: readonly number[]
}

/** A cell, perhaps in quotes, and what separates it from the next one. */
const CELL = /(?:"([^"]*)"|([^\t,; ]*)) *(?:[\t,;] *)?/g

/**
 * Reads pets as a spreadsheet copies them: a line each, with the id, the quantity and the status, in columns of tabs,
 * commas, semicolons or spaces. A first line of headings is skipped. Without a status, a pet is available. Reads JSON, too:
 * a list of pets, or a fixture.
 * @returns What is wrong with the text, as a sentence, if something is.
 */
export function parsePets(text: string): PastedPets | string {
  if (/^\s*[[{]/.test(text)) return parseJsonPets(text)
  const lines = text.split(/\r?\n/).map((line, index) => ({
    line: index + 1,
    cells: Array.from(line.trim().matchAll(CELL), ([, quoted, bare = '']) => quoted ?? bare),
  }))
  const rows = lines.filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (rows.length === 0) return 'Enter a pet as: id, quantity, status'
  if (rows.length > 1 && /^[a-z_ ]+$/i.test(rows[0]?.cells[0] ?? '')) rows.shift()
  const wrong = rows.find(({ cells: [, quantity, , ...others] }) => !quantity || others.some((cell) => cell !== ''))
  if (wrong !== undefined) {
    const text = wrong.cells.filter((cell) => cell !== '').join(' ')
    return `Line ${wrong.line}: enter an id, a quantity and a status, not ${text.slice(0, 40)}`
  }
  const pets = rows.map(({ cells: [petId, quantity = '', status] }) => ({
    petId,
    quantity: toNumber(quantity),
    status: status?.toLowerCase() || STATUSES[0],
  }))
  return { pets, lines: rows.map(({ line }) => line) }
}

function parseJsonPets(text: string): PastedPets | string {
  try {
    const value = parseJson<{ inventory?: unknown }>(text)
    const pets = value.inventory ?? value
    return Array.isArray(pets) ? { pets, lines: [] } : 'Enter a list of pets, or a fixture'
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}`
  }
}

/** A fixture file with a pet on each line. Ids that `JSON.parse` would round are strings. */
export function toFixtureText(pets: readonly Pet[]): string {
  const lines = pets.map(({ petId: id, quantity, status }) => {
    const petId = Number.isSafeInteger(Number(id)) ? Number(id) : id
    return `    ${JSON.stringify({ petId, quantity, status })}`
  })
  return `{\n  "inventory": [\n${lines.join(',\n')}\n  ]\n}\n`
}

/** A typed number; else the text, so that the mock's own error message explains it. */
export function toNumber(text: string): number | string {
  const typed = text.trim().replace(/^[−–]/, '-')
  return JSON_NUMBER.test(typed) ? Number(typed) : typed
}
