import type { TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import type { ConnectionFault, Fault } from '../api/model.ts'
import { OPERATION_IDS } from '../api/operation-ids.gen.ts'
import {
  describeFault,
  type FaultFields,
  PRESETS,
  type Preset,
  SLOW_MS,
  toFaultJson,
  toMilliseconds,
  toPresetOf,
} from '../state/faults.ts'
import { useConsole, useSelect } from './hooks.ts'
import { Switch } from './parts.tsx'

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

// An object, so that the compiler demands every kind in the contract.
const KINDS: Readonly<Record<'status' | ConnectionFault | 'delay', string>> = {
  status: 'HTTP status',
  network: 'broken connection',
  reset: 'connection reset',
  timeout: 'no response',
  truncated: 'truncated response',
  delay: 'delay only',
}

/** A form for any fault. The mock validates it. */
export function FaultForm() {
  const { actions } = useConsole()
  const [kind, setKind] = useState('status')
  const [error, setError] = useState<string>()
  async function add(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    const given = Object.fromEntries(new FormData(form)) as Partial<FaultFields>
    const blank: FaultFields = { operation: '', petId: '', kind, status: '', delay: '', times: '', percent: '' }
    const problem = await actions.addFault(toFaultJson({ ...blank, ...given }))
    setError(problem)
    if (problem === undefined) actions.tell('Fault added')
  }
  return (
    <form class="fault-form" onSubmit={add} onInput={() => setError(undefined)}>
      <label class="field">
        <span>Operation</span>
        <select name="operation">
          <option value="">any</option>
          {OPERATION_IDS.map((operation) => (
            <option key={operation}>{operation}</option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Response</span>
        <select name="kind" value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
          {Object.entries(KINDS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {kind === 'status' && <Field name="status" label="Status" value="503" />}
      <Field name="petId" label="Pet id" placeholder="any" />
      <Field name="delay" label="Delay in ms" placeholder="none" />
      <Field name="times" label="Times" placeholder="unlimited" />
      <Field name="percent" label="Probability in %" placeholder="100" />
      <p class="error" role="alert">
        {error}
      </p>
      <button type="submit">Add fault</button>
    </form>
  )
}

function Field(props: { name: string; label: string; value?: string; placeholder?: string }) {
  const { name, label, value, placeholder } = props
  return (
    <label class="field">
      <span>{label}</span>
      <input name={name} inputMode="numeric" autocomplete="off" defaultValue={value} placeholder={placeholder} />
    </label>
  )
}
