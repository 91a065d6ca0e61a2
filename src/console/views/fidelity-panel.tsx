import type { FidelityRule } from '../api/model.ts'
import { useSelect } from './use-console.ts'

/** What the mock's rules are based on. Shown only if the mock has a record of it. */
export function FidelityPanel() {
  const rules = useSelect((state) => state.fidelity)
  if (rules.length === 0) return null
  const seen = rules.filter((rule) => rule.seen !== undefined).length
  return (
    <section class="panel fidelity" aria-labelledby="fidelity-title">
      <div class="panel-head">
        <h2 id="fidelity-title">
          Fidelity{' '}
          <span class="count">
            {seen} of {rules.length} rules seen at a real service
          </span>
        </h2>
      </div>
      <details class="more">
        <summary>Show the rules</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col">Rule</th>
              <th scope="col">Basis</th>
            </tr>
          </thead>
          <tbody>
            {rules.map((rule) => (
              <tr key={`${rule.operation} ${rule.rule}`}>
                <td>{rule.operation}</td>
                <td>{rule.rule}</td>
                <td>{describeBasis(rule)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}

function describeBasis({ basis, seen }: FidelityRule): string {
  if (seen === undefined) return basis
  return `seen ${seen.verdict === 'same' ? '' : 'otherwise '}at ${seen.url} on ${seen.date}`
}
