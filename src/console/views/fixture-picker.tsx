import { useState } from 'preact/hooks'
import { useConsole, useSelect } from './use-console.ts'

/** Another state for the sandbox: a shipped fixture, or the one it began with. */
export function FixturePicker() {
  const { actions } = useConsole()
  const fixtures = useSelect((state) => state.fixtures)
  const present = useSelect((state) => state.fixture)
  const [chosen, setChosen] = useState<string>()
  const names = fixtures.map(({ name }) => name)
  const value = chosen ?? (names.includes(present) ? present : (names[0] ?? ''))
  return (
    <div class="tools">
      <label class="inline">
        <span>Fixture</span>
        <select value={value} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          {fixtures.map(({ name, description, pets }) => (
            <option key={name} value={name} title={description}>
              {name} ({pets})
            </option>
          ))}
        </select>
      </label>
      <button type="button" disabled={value === ''} onClick={() => actions.loadFixture(value)}>
        Load
      </button>
      <button type="button" title="Stock, faults, latency and journal as at the start" onClick={() => actions.reset()}>
        Reset
      </button>
    </div>
  )
}
