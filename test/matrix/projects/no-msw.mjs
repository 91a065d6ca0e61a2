// Without msw, the entries that need it say so in one sentence.
import assert from 'node:assert/strict'
import { createMock } from 'petstore-mock'

await assert.rejects(import('petstore-mock/msw'), /Cannot find package 'msw'/)
// A handler as msw makes it, without msw.
const handler = { info: { header: 'GET *' }, run() {} }
const mock = createMock({ handlers: [handler] })
const errors = []
console.error = (error) => errors.push(String(error))
const { status } = await mock.fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
assert.equal(status, 500)
assert.match(errors.join(), /install .*msw/)
console.log('It works.')
