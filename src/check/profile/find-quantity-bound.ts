import { parsePet } from '../conformance/listed-pet.ts'
import { type ProbeSession, toBody, toOneOf, Undecided } from './probe-session.ts'

/** A bound of the range of quantities to look for. */
interface QuantityBound {
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
    const response = await session.update({ body: toBody(quantity) })
    const status = toOneOf(response, [200, 400])
    // A service that limits a quantity instead of refusing it has no bound that the mock could have.
    if (status === 200 && parsePet(response.json)?.quantity !== String(quantity))
      throw new Undecided(`the service accepts quantity ${quantity} and does not return it`)
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
