import type { Change } from '../api/model.ts'
import { describeChange } from '../state/history.ts'
import { useConsole, useSelect } from './hooks.ts'

/** How many of the latest changes are listed. */
const MOST_LISTED = 100

/** Undoes and redoes changes of the stock, and lists them with what made each. */
export function HistoryList() {
  const { actions } = useConsole()
  const history = useSelect((state) => state.history)
  return (
    <section class="history" aria-label="History">
      <div class="tools">
        <button type="button" title="Ctrl+Z" onClick={actions.undo}>
          Undo
        </button>
        <button type="button" title="Ctrl+Shift+Z" onClick={actions.redo}>
          Redo
        </button>
        <button
          type="button"
          aria-expanded={history !== undefined}
          onClick={() => actions.showHistory(history === undefined)}
        >
          History
        </button>
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
        <button type="button" class="plain small" onClick={() => actions.openCause(exchange)}>
          request {exchange}
        </button>
      )}
      {isUndone ? (
        <small>undone</small>
      ) : (
        <button
          type="button"
          class="small"
          aria-label={`Undo to here: change ${id}`}
          title="Undo this change and all later ones"
          onClick={() => actions.undoTo(id)}
        >
          Undo to here
        </button>
      )}
    </li>
  )
}
