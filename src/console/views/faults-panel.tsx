import type { Fault } from '../api/model.ts'
import { OPERATIONS } from '../api/operations.gen.ts'
import { countFaults, type FaultFields, toLatency } from '../state/console-state.ts'
import { describeFault, EFFECTS, PRESETS, type Preset, SLOW_MS, toLabel, toPresetOf, toTime } from '../state/faults.ts'
import { useConsole, useSelect } from './hooks.ts'
import { Button, Form, RemoveButton, UNCORRECTED } from './parts.tsx'

/** Fault injection: switches for common faults, a form for any other, and what is active. */
export function FaultsPanel() {
  const { actions } = useConsole()
  const faults = useSelect((state) => state.faults)
  const delay = useSelect((state) => state.delay)
  const draft = useSelect((state) => state.draft)
  const isOn = (preset: Preset): boolean => faults.some((fault) => toPresetOf(fault) === preset)
  return (
    <section class="panel faults" aria-labelledby="faults-title">
      <div class="tools switches">
        <h2 id="faults-title">Break it</h2>
        {PRESETS.map((preset) => {
          const toggle = () => actions.switchPreset(isOn(preset) ? undefined : preset)
          return (
            <Button key={preset.label} text={preset.label} class="switch" aria-pressed={isOn(preset)} run={toggle} />
          )
        })}
        <Button
          text="Slow 1 s"
          class="switch"
          aria-pressed={delay === SLOW_MS}
          run={() => actions.setDelay(delay === SLOW_MS ? null : SLOW_MS)}
        />
        <Button
          text="Make requests fail…"
          class="primary"
          aria-expanded={draft !== undefined}
          run={() => actions.draftFault(draft === undefined ? {} : undefined)}
        />
      </div>
      {draft !== undefined && <FaultForm draft={draft} />}
      <ActiveFaults />
    </section>
  )
}

/** What is active: faults, and the latency. */
function ActiveFaults() {
  const { actions, keepsFaults } = useConsole()
  const faults = useSelect((state) => state.faults)
  const basePath = useSelect((state) => state.basePath)
  const latency = useSelect(toLatency)
  const count = useSelect(countFaults)
  const own = useSelect(({ health }) => health?.delay ?? 0)
  if (count === 0) return <p class="tools note fault-list">No faults</p>
  return (
    <ol class="tools fault-list" aria-label="Active faults; the first that fits a request is injected">
      {faults.map((fault) => (
        <li key={fault.id} class="tools fault">
          <span class="tag">fault {fault.id}</span>
          <span>{describeFault(fault, basePath)}</span>
          <Use used={fault.used} />
          <RemoveButton
            text="Remove"
            aria-label={`Remove fault ${fault.id}`}
            run={() => actions.removeFault(fault.id)}
          />
        </li>
      ))}
      {latency !== 0 && (
        <li class="tools fault">
          Every request waits {toTime(latency)}
          <RemoveButton text="Remove" aria-label="Remove latency" run={() => actions.setDelay(own === 0 ? null : 0)} />
        </li>
      )}
      {(count > 1 || keepsFaults) && (
        <li class="tools">
          {keepsFaults && <small>Faults set here stay after a reload, until you close this tab</small>}
          <RemoveButton text="Remove all faults" run={actions.clearFaults} />
        </li>
      )}
    </ol>
  )
}

function Use({ used }: Pick<Fault, 'used'>) {
  if (used === 0) return <small>not triggered</small>
  return (
    <span class="use">
      triggered <b>{used.toLocaleString('en')}</b> {used === 1 ? 'time' : 'times'}
    </span>
  )
}

/** A fault of one's own. The mock validates it. */
function FaultForm({ draft }: { draft: Partial<FaultFields> }) {
  const { actions } = useConsole()
  const field = (name: keyof FaultFields, label: string, placeholder: string, others?: object) => (
    <label class="inline">
      <span>{label}</span>
      <input
        name={name}
        size={placeholder.length}
        inputMode="numeric"
        {...UNCORRECTED}
        defaultValue={draft[name] ?? ''}
        placeholder={placeholder}
        {...others}
      />
    </label>
  )
  return (
    <Form
      class="tools new-fault"
      aria-label="New fault"
      text="Add"
      send={(fields) => actions.addFault(fields as FaultFields)}
      onCancel={() => actions.draftFault(undefined)}
      start={draft}
    >
      {field('target', 'Requests', 'any, or a path', { inputMode: 'text', list: 'fault-targets' })}
      <datalist id="fault-targets">
        {OPERATIONS.map((operation) => (
          <option key={operation.id} value={operation.id}>
            {toLabel(operation)}
          </option>
        ))}
      </datalist>
      {field('petId', 'Pet', 'any')}
      <label class="inline">
        <span>Response</span>
        <select name="effect">
          {EFFECTS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {field('delay', 'Delay in ms', '0')}
      {field('times', 'Times', 'unlimited')}
    </Form>
  )
}
