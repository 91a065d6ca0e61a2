import defaultFixture from '../../fixtures/default.json' with { type: 'json' }
import empty from '../../fixtures/empty.json' with { type: 'json' }
import int64Edges from '../../fixtures/int64-edges.json' with { type: 'json' }
import lowStock from '../../fixtures/low-stock.json' with { type: 'json' }
import soldOut from '../../fixtures/sold-out.json' with { type: 'json' }
import type { Fixture } from './fixture.ts'

/** The fixtures that come with the package, by name. */
export const SHIPPED_FIXTURES: Readonly<Record<string, Fixture>> = {
  default: defaultFixture as Fixture,
  empty: empty as Fixture,
  'low-stock': lowStock as Fixture,
  'sold-out': soldOut as Fixture,
  'int64-edges': int64Edges as Fixture,
}

export function isShippedFixture(name: string): boolean {
  return Object.hasOwn(SHIPPED_FIXTURES, name)
}
