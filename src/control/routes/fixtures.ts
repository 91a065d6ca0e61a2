import { object } from '../../http/schema.ts'
import { FIXTURE_SOURCE, type FixtureSource, isShippedFixture, SHIPPED_FIXTURES } from '../../store/seed.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'
import { LARGEST_STATE, readBody } from './read-json.ts'
import { describeState } from './state.ts'

export const listFixtures: ControlRoute<'listFixtures'> = defineControlRoute('listFixtures', ({ sandboxes }) => {
  const { name, pets } = sandboxes.seed
  const own = { name, description: 'What this mock started with', pets: pets.size }
  const shipped = Object.entries(SHIPPED_FIXTURES).map(([name, { description = '', inventory }]) => ({
    name,
    description,
    pets: inventory.length,
  }))
  return { status: 200, body: isShippedFixture(name) ? shipped : [own, ...shipped] }
})

const CHOICE = object<{ readonly fixture: FixtureSource }>({ fixture: FIXTURE_SOURCE })

export const loadFixture: ControlRoute<'loadFixture'> = defineControlRoute(
  'loadFixture',
  async ({ sandbox, ...upload }) => {
    const { fixture } = await readBody(upload, { schema: CHOICE, limit: LARGEST_STATE })
    sandbox.controls.load(fixture)
    return describeState(sandbox)
  },
)
