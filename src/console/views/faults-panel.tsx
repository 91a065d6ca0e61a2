import type { Fault } from '../api/model.ts'
import { PRESETS, SLOW_MS, toPresetOf } from '../state/presets.ts'
import { describeFault } from './describe-fault.ts'
import { FaultForm } from './fault-form.tsx'
import { Switch } from './switch.tsx'
import { useConsole, useSelect } from './use-console.ts'

/** Misbehaviour on purpose: the common kinds at a click, any other by a form. */
export function FaultsPanel() {
  const { actions } = useConsole()
  const faults = useSelect((state) => state.faults)
  const delay = useSelect((state) => state.delay)
  const on = faults.map(toPresetOf)
  return (
    <section class="panel faults" aria-labelledby="faults-title">
      <div class="panel-head">
        <h2 id="faults-title">Faults and latency</h2>
        {faults.length > 1 && (
          <button type="button" class="small" onClick={actions.clearFaults}>
            Remove all
          </button>
        )}
      </div>
      <div class="switches">
        {PRESETS.map((preset) => {
          const isOn = on.includes(preset)
          const toggle = () => actions.switchPreset(isOn ? undefined : preset)
          return <Switch key={preset.name} label={preset.label} isOn={isOn} onToggle={toggle} />
        })}
        <Switch
          label="Slow 1 s"
          isOn={delay === SLOW_MS}
          onToggle={() => actions.setDelay(delay === SLOW_MS ? null : SLOW_MS)}
        />
      </div>
      {delay !== null && delay !== SLOW_MS && (
        <p class="note delay">
          Answers take {String(delay).replace(',', ' to ')} ms.{' '}
          <button type="button" class="small" onClick={() => actions.setDelay(null)}>
            Remove
          </button>
        </p>
      )}
      <FaultList faults={faults} />
      <details class="more">
        <summary>Add a fault of your own</summary>
        <FaultForm />
      </details>
    </section>
  )
}

function FaultList({ faults }: { faults: readonly Fault[] }) {
  const { actions } = useConsole()
  if (faults.length === 0) return <p class="note">No fault is active: the service answers as it is specified.</p>
  return (
    <ol class="fault-list" aria-label="Active faults; the first that fits a request strikes">
      {faults.map((fault) => (
        <li key={fault.id}>
          <span>
            {describeFault(fault)} <small>· {fault.used === 0 ? 'has not struck' : `struck ${fault.used}×`}</small>
          </span>
          <button
            type="button"
            class="small"
            aria-label={`Remove fault ${fault.id}`}
            onClick={() => actions.removeFault(fault.id)}
          >
            Remove
          </button>
        </li>
      ))}
    </ol>
  )
}
