// Tests of node:test with the server of `petstore-mock exec`: node on-server.mjs careful
import test from 'node:test'
import { createClient } from './client.js'
import { SUITES } from './suites.js'

const { PETSTORE_MOCK_URL: url, PETSTORE_MOCK_API_KEY: apiKey } = process.env
SUITES[process.argv[2]](test, (key = apiKey) => createClient({ url, key }))
