import { useState } from 'preact/hooks'
import { useConsole, useSelect } from './use-console.ts'

/** Loads a fixture into the sandbox, or resets it. */
export function FixturePicker() {
  const { actions } = useConsole()
  const fixtures = useSelect((state) => state.fixtures)
  const present = useSelect((state) => state.fixture)
  const [chosen, setChosen] = useState<string>()
  const isListed = fixtures.some(({ name }) => name === present)
  const value = chosen ?? (isListed ? present : '')
  async function load(): Promise<void> {
    await actions.loadFixture(value)
    setChosen(undefined)
  }
  return (
    <div class="tools">
      <label class="inline">
        <span>Fixture</span>
        <select value={value} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          {!isListed && (
            <option value="" disabled>
              {present}
            </option>
          )}
          {fixtures.map(({ name, description, pets }) => (
            <option key={name} value={name} title={description}>
              {name} ({pets})
            </option>
          ))}
        </select>
      </label>
      <button type="button" disabled={value === ''} onClick={load}>
        Load
      </button>
      <button type="button" title="Reset stock, faults, latency and journal" onClick={() => actions.reset()}>
        Reset
      </button>
    </div>
  )
}
