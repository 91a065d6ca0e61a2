import type { Control } from '../api/control.ts'
import type { Change } from '../api/model.ts'
import { type ActionParts, run, tell } from './action-parts.ts'
import { readExchange } from './request-actions.ts'

export type HistoryActions = ReturnType<typeof createHistoryActions>

export function createHistoryActions(parts: ActionParts) {
  const { store, getControl, refreshHistory } = parts

  const undo = (body: { id?: number }) =>
    run(parts, async () => {
      const [latest, ...others] = await getControl().ask('POST /history/undo', { body })
      if (latest === undefined) return 'Nothing to undo'
      return others.length === 0 ? `Undone: ${describeChange(latest)}` : `${others.length + 1} changes undone`
    })

  return {
    /** Undoes the last action if its notice offers that, or else the latest change. */
    async undo() {
      const { notice } = store.state
      if (notice?.undo === undefined) return undo({})
      store.set({ notice: { ...notice, undo: undefined } })
      return notice.undo()
    },
    /** Undoes a change and all later ones. */
    undoTo: (id: number) => undo({ id }),
    redo: () =>
      run(parts, async () => {
        const [change] = await getControl().ask('POST /history/redo')
        return change === undefined ? 'Nothing to redo' : `Redone: ${describeChange(change)}`
      }),
    showHistory(isShown: boolean) {
      store.set({ history: isShown ? [] : undefined })
      refreshHistory()
    },
    /** Opens the request that made a change. */
    async openCause(exchange: number) {
      if ((await readExchange(getControl(), exchange)) === undefined)
        tell(parts, `Request ${exchange} is no longer in the journal`)
      else store.set({ opened: exchange })
    },
  }
}

/** Returns a function that undoes all changes that are made from now on. */
export async function markHistory({ ask }: Control): Promise<() => Promise<void>> {
  const mark = (await ask('GET /history')).at(-1)?.id ?? 0
  return async () => {
    const first = (await ask('GET /history')).find(({ id, isUndone }) => id > mark && !isUndone)
    if (first !== undefined) await ask('POST /history/undo', { body: { id: first.id } })
  }
}

/** A change in words: `Pet 5: 25 to 12`. */
export function describeChange({ petId, before, after }: Change): string {
  if (petId === undefined) return 'Stock replaced'
  const pet = before ?? after
  if (before === undefined || after === undefined)
    return `Pet ${petId} ${before === undefined ? 'added' : 'removed'}: ${pet?.quantity.toLocaleString('en')} ${pet?.status}`
  const parts = [
    [before.quantity.toLocaleString('en'), after.quantity.toLocaleString('en')],
    [before.status, after.status],
  ]
  const changed = parts.filter(([then, now]) => then !== now).map((part) => part.join(' to '))
  return `Pet ${petId}: ${changed.join(', ')}`
}
