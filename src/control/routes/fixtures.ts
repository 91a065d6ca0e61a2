import { object } from '../../http/schema.ts'
import { FIXTURE_SOURCE, type FixtureSource } from '../../store/load-seed.ts'
import { SHIPPED_FIXTURES } from '../../store/shipped-fixtures.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'
import { LARGEST_STATE, readBody } from './read-json.ts'
import { describeState } from './state.ts'

export const listFixtures: ControlRoute<'listFixtures'> = defineControlRoute('listFixtures', () => ({
  status: 200,
  body: Object.entries(SHIPPED_FIXTURES).map(([name, { description = '', inventory }]) => ({
    name,
    description,
    pets: inventory.length,
  })),
}))

const CHOICE = object<{ readonly fixture: FixtureSource }>({ fixture: FIXTURE_SOURCE })

export const loadFixture: ControlRoute<'loadFixture'> = defineControlRoute(
  'loadFixture',
  async ({ sandbox, ...upload }) => {
    const { fixture } = await readBody(upload, { schema: CHOICE, limit: LARGEST_STATE })
    sandbox.controls.load(fixture)
    return describeState(sandbox)
  },
)
