interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly onToggle: () => void
}

/** An on/off switch. */
export function Switch({ label, isOn, onToggle }: SwitchProps) {
  return (
    <button type="button" class="switch" role="switch" aria-checked={isOn} onClick={onToggle}>
      <span class="switch-track" aria-hidden="true" />
      <span>{label}</span>
    </button>
  )
}
