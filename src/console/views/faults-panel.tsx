import type { Fault } from '../api/model.ts'
import { PRESETS, type Preset, SLOW_MS, toPresetOf } from '../state/presets.ts'
import { toMilliseconds } from '../state/to-milliseconds.ts'
import { describeFault } from './describe-fault.ts'
import { FaultForm } from './fault-form.tsx'
import { Switch } from './switch.tsx'
import { useConsole, useSelect } from './use-console.ts'

/** Fault injection: switches for common faults, and a form for any other. */
export function FaultsPanel() {
  const { actions } = useConsole()
  const faults = useSelect((state) => state.faults)
  const delay = useSelect((state) => state.delay)
  const isOn = (preset: Preset): boolean => faults.some((fault) => toPresetOf(fault) === preset)
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
          const toggle = () => actions.switchPreset(isOn(preset) ? undefined : preset)
          return <Switch key={preset.name} label={preset.label} isOn={isOn(preset)} onToggle={toggle} />
        })}
        <Switch
          label="Slow 1 s"
          isOn={delay === SLOW_MS}
          onToggle={() => actions.setDelay(delay === SLOW_MS ? null : SLOW_MS)}
        />
      </div>
      <Latency />
      <FaultList faults={faults} />
      <details class="more">
        <summary>Add another fault</summary>
        <FaultForm />
      </details>
    </section>
  )
}

/** Shows a latency that no switch stands for: set with `--delay`, or by another client. */
function Latency() {
  const { actions } = useConsole()
  const delay = useSelect((state) => state.delay)
  const own = useSelect(({ health }) => health?.delay ?? 0)
  const effective = delay ?? own
  if (delay === SLOW_MS || (effective === 0 && own === 0)) return null
  if (effective === 0) {
    return (
      <p class="note delay">
        The mock’s own latency of {toMilliseconds(own)} is off in this sandbox.
        <button type="button" class="small" onClick={() => actions.setDelay(null)}>
          Restore
        </button>
      </p>
    )
  }
  return (
    <p class="note delay">
      Responses take {toMilliseconds(effective)}
      {delay === null && ', as set with --delay'}.
      <button
        type="button"
        class="small"
        aria-label="Remove latency"
        onClick={() => actions.setDelay(delay === null ? 0 : null)}
      >
        Remove
      </button>
    </p>
  )
}

function FaultList({ faults }: { faults: readonly Fault[] }) {
  const { actions } = useConsole()
  if (faults.length === 0) return <p class="note">No fault is active: the service responds as specified.</p>
  return (
    <ol class="fault-list" aria-label="Active faults; the first that fits a request is injected">
      {faults.map((fault) => (
        <li key={fault.id}>
          <span>
            {describeFault(fault)} <small>· {toUse(fault.used)}</small>
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

function toUse(used: number): string {
  if (used === 0) return 'not triggered'
  if (used === 1) return 'triggered once'
  return `triggered ${used.toLocaleString('en')} times`
}
