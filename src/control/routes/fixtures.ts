import { quote } from '../../http/quote.ts'
import { createJsonResponse } from '../../http/wire-response.ts'
import type { Fixture } from '../../store/fixture.ts'
import { SHIPPED_FIXTURES } from '../../store/shipped-fixtures.ts'
import { ControlError } from './control-error.ts'
import type { ControlRoute } from './control-route.ts'
import { LARGEST_STATE, readJsonObject } from './read-json.ts'
import { describeState } from './state.ts'

export const listFixtures: ControlRoute = {
  method: 'GET',
  path: '/fixtures',
  answer: () =>
    createJsonResponse(
      200,
      JSON.stringify(
        Object.entries(SHIPPED_FIXTURES).map(([name, { description, inventory }]) => ({
          name,
          description,
          pets: inventory.length,
        })),
      ),
    ),
}

export const loadFixture: ControlRoute = {
  method: 'POST',
  path: '/load',
  async answer({ sandbox, ...upload }) {
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
}
