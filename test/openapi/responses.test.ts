import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DOCUMENTS, type Exchange, recordContract } from './exchanges.ts'
import { VALIDATORS, type Validator } from './validators.ts'

const exchanges = await recordContract()

test('the contract has every status of the service', () => {
  expect(new Set(exchanges.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 404, 501]))
})

describe.each(DOCUMENTS)('%s', (file) => {
  const tools = Object.entries(VALIDATORS).filter(([, { reads31 }]) => reads31 || file !== DOCUMENTS[0])

  describe.each(tools)('%s', (_, { create, knowsDefault }) => {
    let validator: Validator
    beforeAll(async () => {
      validator = await create(file)
    })
    afterAll(() => validator?.close?.())

    async function findProblems(responses: readonly Exchange[]): Promise<string[]> {
      const problems: string[] = []
      for (const response of responses) {
        const problem = await validator.validate(response)
        if (problem !== undefined) problems.push(`${response.title}: ${problem}`)
      }
      return problems
    }

    test('accepts every response of the contract', async () => {
      expect(await findProblems(exchanges.filter(({ status }) => status !== 501 || knowsDefault))).toEqual([])
    })

    test.each<[string, Partial<Exchange>]>([
      ['without petId', { body: { quantity: 1, status: 'sold' } }],
      ['with a quantity that is text', { body: { petId: 1, quantity: '1', status: 'sold' } }],
      ['with an unknown PetStatus', { body: { petId: 1, quantity: 1, status: 'lost' } }],
      ['with a status that is not listed', { status: 409, body: { code: 'conflict', message: 'No', status: 409 } }],
      ['with an Error object without code', { status: 404, body: { message: 'There is no pet 1', status: 404 } }],
    ])('refuses a response %s', async (title, broken) => {
      const update = {
        title,
        method: 'PATCH',
        path: '/v1/inventory/1',
        template: '/inventory/{petId}',
        status: 200,
        body: {},
      }
      expect(await validator.validate({ ...update, ...broken })).toEqual(expect.any(String))
    })
  })
})
