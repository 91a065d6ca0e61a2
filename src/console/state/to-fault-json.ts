/** The fields of the fault form, as typed. */
export type FaultFields = Readonly<
  Record<'operation' | 'petId' | 'kind' | 'status' | 'delay' | 'times' | 'percent', string>
>

const WHOLE = /^-?\d+$/

/**
 * Converts the form to JSON. Empty fields are left out. Numbers keep their digits, so that a large petId stays exact.
 * Anything else is sent as a string, so that the mock's own error message explains it.
 */
export function toFaultJson({ operation, petId, kind, status, delay, times, percent }: FaultFields): string {
  const parts = {
    operation: toText(operation),
    petId: toNumber(petId),
    status: kind === 'status' ? toNumber(status) : undefined,
    error: kind === 'status' || kind === 'delay' ? undefined : toText(kind),
    delay: toNumber(delay),
    times: toNumber(times),
    probability: percent.trim() === '' ? undefined : toProbability(percent),
  }
  const properties = Object.entries(parts).flatMap(([name, json]) => (json === undefined ? [] : [`"${name}":${json}`]))
  return `{${properties.join(',')}}`
}

function toText(value: string): string | undefined {
  return value.trim() === '' ? undefined : JSON.stringify(value.trim())
}

function toNumber(value: string): string | undefined {
  return WHOLE.test(value.trim()) ? value.trim() : toText(value)
}

function toProbability(percent: string): string {
  const share = Number(percent) / 100
  return Number.isFinite(share) ? String(share) : JSON.stringify(percent)
}
