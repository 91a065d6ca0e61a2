import { quote } from '../../http/quote.ts'
import type { Fixture } from '../../store/fixture.ts'
import { SHIPPED_FIXTURES } from '../../store/shipped-fixtures.ts'
import { ControlError } from './control-error.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'
import { LARGEST_STATE, readJsonObject } from './read-json.ts'
import { describeState } from './state.ts'

export const listFixtures: ControlRoute<'listFixtures'> = defineControlRoute('listFixtures', () => ({
  status: 200,
  body: Object.entries(SHIPPED_FIXTURES).map(([name, { description = '', inventory }]) => ({
    name,
    description,
    pets: inventory.length,
  })),
}))

export const loadFixture: ControlRoute<'loadFixture'> = defineControlRoute(
  'loadFixture',
  async ({ sandbox, ...upload }) => {
    const { fixture } = await readJsonObject(upload, { known: ['fixture'], limit: LARGEST_STATE })
    if (typeof fixture !== 'string' && (typeof fixture !== 'object' || fixture === null)) {
      throw new ControlError(
        'invalid_request',
        `fixture must be a shipped fixture's name or a fixture, got ${quote(fixture)}`,
      )
    }
    sandbox.controls.load(fixture as string | Fixture)
    return describeState(sandbox)
  },
)
