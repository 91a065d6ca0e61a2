// Tests of Vitest or Jest with a mock in their process: SUITE=careful vitest run
import { createMock } from 'petstore-mock'
import { interceptRequests } from 'petstore-mock/node'
import { createClient } from './client.js'
import { SUITES } from './suites.js'

const { test, afterAll } = globalThis
const mock = createMock({ baseUrl: 'https://api.petstore.example/v1' })
const interception = interceptRequests(mock)
afterAll(() => interception.stop())

SUITES[process.env['SUITE']](test, (key = mock.apiKey) => createClient({ url: 'https://api.petstore.example/v1', key }))
