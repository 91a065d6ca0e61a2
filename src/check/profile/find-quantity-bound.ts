import { type ProbeSession, toBody, toOneOf } from './probe-session.ts'

/** A bound of the range of quantities to look for. */
export interface QuantityBound {
  /** The widest possible bound. */
  readonly widest: number
  /** Frequent bounds, which are tried first. */
  readonly frequent: readonly number[]
}

/**
 * Finds the smallest or the largest accepted quantity by bisection, supposing that all quantities between the bounds
 * are accepted.
 * @throws {Undecided}
 */
export async function findQuantityBound(session: ProbeSession, { widest, frequent }: QuantityBound): Promise<number> {
  let accepted = await session.findQuantity()
  let rejected = widest
  const outward = Math.sign(widest - accepted)

  /** Skips a quantity whose result is known. */
  async function narrow(quantity: number): Promise<void> {
    if ((quantity - accepted) * outward <= 0 || (rejected - quantity) * outward < 0) return
    const status = toOneOf(await session.update({ body: toBody(quantity) }), [200, 400])
    if (status === 200) accepted = quantity
    else rejected = quantity
  }

  await narrow(widest)
  for (const quantity of frequent) {
    await narrow(quantity)
    await narrow(quantity + outward)
  }
  while (Math.abs(rejected - accepted) > 1) await narrow(accepted + Math.trunc((rejected - accepted) / 2))
  return accepted
}
