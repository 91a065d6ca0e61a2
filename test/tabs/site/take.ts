import { toService } from '../../../src/service/mock.ts'
import type { Tab } from './main.ts'

/** Something that happens to the state, in words that cross from Node to a page. */
export interface Step {
  readonly act: 'update' | 'set' | 'add' | 'remove' | 'move' | 'restore' | 'reset' | 'load' | 'drop' | 'wait'
  readonly sandbox: string
  readonly petId: number
  readonly quantity: number
}

export const ACTS = ['update', 'set', 'add', 'remove', 'move', 'restore', 'reset', 'load', 'drop', 'wait'] as const

export async function take(
  { act, sandbox: name, petId, quantity }: Step,
  { mock, update }: Pick<Tab, 'mock' | 'update'>,
): Promise<void> {
  if (act === 'update') {
    await update(petId, quantity, name)
    return
  }
  if (act === 'wait') {
    await new Promise((resolve) => setTimeout(resolve, quantity))
    return
  }
  if (act === 'drop') {
    toService(mock).sandboxes.remove(name)
    return
  }
  const sandbox = mock.sandbox(name)
  const pet = sandbox.inventory.get(petId)
  if (act === 'reset') sandbox.reset()
  if (act === 'load') sandbox.load('low-stock')
  if (act === 'set' && pet !== undefined) sandbox.inventory.set(petId, { quantity, status: 'pending' })
  if (act === 'add' && pet === undefined) sandbox.inventory.add({ petId, quantity, status: 'sold' })
  if (act === 'remove') sandbox.inventory.remove(petId)
  if (act === 'move' && sandbox.inventory.remove(petId)) {
    sandbox.inventory.add({ petId, quantity, status: 'available' })
  }
  if (act === 'restore') {
    const snapshot = sandbox.snapshot()
    sandbox.inventory.remove(petId)
    sandbox.restore(snapshot)
  }
}
