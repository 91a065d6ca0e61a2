import type { Fault } from '../api/model.ts'

/** A fault to be added again, with what is left of its `times`. A sequence of statuses starts again. */
export function toUnused({ id: _, used, ...fault }: Fault): Omit<Fault, 'id' | 'used'> {
  const { times, statuses } = fault
  return times === undefined || statuses !== undefined ? fault : { ...fault, times: times - used }
}
