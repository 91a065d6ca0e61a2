import type { TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import type { ConnectionFault } from '../api/model.ts'
import { OPERATION_IDS } from '../api/operation-ids.gen.ts'
import { type FaultFields, toFaultJson } from '../state/to-fault-json.ts'
import { useConsole } from './use-console.ts'

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
