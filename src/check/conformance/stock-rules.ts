import type { CheckSession } from './check-session.ts'
import type { CaseRule } from './conformance-case.ts'
import { type ListedPet, parsePet, parsePets } from './listed-pet.ts'

/** The answer is the pet that was updated, with the quantity that was sent, and all else as it was. */
export const findItemFault: CaseRule = ({ json }, { session: { pet }, sent }) => {
  const answered = parsePet(json)
  if (answered === undefined) return 'The answer is no entry of the inventory'
  if (answered.petId !== pet?.petId) return `The answer is pet ${answered.petId} and should be pet ${pet?.petId}`
  const quantity = toSentQuantity(sent.body)
  if (answered.quantity !== quantity) return `The quantity is ${answered.quantity} and should be ${quantity}`
  if (answered.status === pet.status) return undefined
  return `The pet's status is ${answered.status} and was ${pet.status}: an update sets the quantity alone`
}

/** The next list shows the pet with the quantity that was sent. */
export const findListFault: CaseRule = async (_answer, { session, sent }) => {
  const quantity = toSentQuantity(sent.body)
  const listed = await listQuantity(session)
  return listed === quantity ? undefined : `The list shows the quantity ${listed} and should show ${quantity}`
}

/** All pets but the one that was updated are as they were before the first case. */
export const findOtherPetsFault: CaseRule = async (_answer, { session }) => {
  const now = new Map((await listPets(session)).map((pet) => [pet.petId, pet]))
  const before = session.pets.filter(({ petId }) => petId !== session.pet?.petId)
  const changed = before.find((pet) => !isSame(pet, now.get(pet.petId)))
  return changed === undefined ? undefined : `Pet ${changed.petId} is not as it was before the update of another`
}

/** The quantity that the list shows for the pet under check; `undefined` where it shows none. */
export async function listQuantity(session: CheckSession): Promise<string | undefined> {
  return (await listPets(session)).find(({ petId }) => petId === session.pet?.petId)?.quantity
}

async function listPets(session: CheckSession): Promise<readonly ListedPet[]> {
  return parsePets((await session.send({ operation: 'listInventory' })).json) ?? []
}

function isSame(pet: ListedPet, other: ListedPet | undefined): boolean {
  return pet.quantity === other?.quantity && pet.status === other.status
}

/** `5.0` and `5e0` are the integer 5. */
function toSentQuantity(body: string | undefined): string {
  return String((JSON.parse(body ?? 'null') as { readonly quantity: number }).quantity)
}
