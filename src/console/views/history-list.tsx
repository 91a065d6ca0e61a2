import type { Change } from '../api/model.ts'
import { describeChange } from '../state/history.ts'
import { useConsole, useSelect } from './hooks.ts'
import { Button } from './parts.tsx'

/** How many of the latest changes are listed. */
const MOST_LISTED = 100

/** Undoes and redoes changes of the stock, and lists them with what made each. */
export function HistoryList() {
  const { actions } = useConsole()
  const history = useSelect((state) => state.history)
  return (
    <section class="history" aria-label="History">
      <div class="tools">
        <Button text="Undo" title="Ctrl+Z" run={actions.undo} />
        <Button text="Redo" title="Ctrl+Shift+Z" run={actions.redo} />
        <Button
          text="History"
          aria-expanded={history !== undefined}
          run={() => actions.showHistory(history === undefined)}
        />
      </div>
      {history?.length === 0 && <p class="empty">No changes yet</p>}
      {history !== undefined && history.length > 0 && (
        <ol class="changes">
          {history
            .slice(-MOST_LISTED)
            .reverse()
            .map((change) => (
              <ChangeLine key={change.id} change={change} />
            ))}
        </ol>
      )}
    </section>
  )
}

function ChangeLine({ change }: { change: Change }) {
  const { actions } = useConsole()
  const { id, exchange, route, isUndone } = change
  const Words = isUndone ? 's' : 'span'
  return (
    <li class="tools">
      <Words class="change">{describeChange(change)}</Words>
      {exchange === undefined ? (
        <small>{route ?? 'a program'}</small>
      ) : (
        <Button text={`request ${exchange}`} class="plain small" run={() => actions.openCause(exchange)} />
      )}
      {isUndone ? (
        <small>undone</small>
      ) : (
        <Button
          text="Undo to here"
          class="small"
          aria-label={`Undo to here: change ${id}`}
          title="Undo this change and all later ones"
          run={() => actions.undoTo(id)}
        />
      )}
    </li>
  )
}
