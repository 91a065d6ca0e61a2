import { createMock } from 'petstore-mock'
import { interceptRequests } from 'petstore-mock/node'
import 'petstore-mock/vitest' // the matchers
import { afterAll, afterEach } from 'vitest'

export const mock = createMock({ baseUrl: 'https://api.petstore.example/v1' })

const interception = interceptRequests(mock)
afterEach(() => mock.reset())
afterAll(() => interception.stop())
