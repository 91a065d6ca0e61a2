import { toPresetOf } from '../state/presets.ts'
import { useConsole, useSelect } from './use-console.ts'

/** What one has to know before anything else on the page. */
export function Banners() {
  return (
    <>
      <div role="alert">
        <LostBanner />
      </div>
      <div role="status">
        <FaultBanner />
      </div>
    </>
  )
}

function LostBanner() {
  const isLost = useSelect(({ connection }) => connection === 'lost')
  if (!isLost) return null
  return (
    <p class="banner banner-bad">
      <strong>The double does not answer; trying again.</strong> What is shown here may be old.
    </p>
  )
}

function FaultBanner() {
  const { actions } = useConsole()
  const faults = useSelect((state) => state.faults)
  const [first] = faults
  const preset = first && toPresetOf(first)
  if (preset === undefined) return null
  return (
    <p class="banner banner-warn">
      <span>
        <strong>{preset.label} is on:</strong> every request to the service {preset.effect}.
      </span>
      <button type="button" class="small" onClick={() => actions.switchPreset(undefined)}>
        Switch off
      </button>
    </p>
  )
}
