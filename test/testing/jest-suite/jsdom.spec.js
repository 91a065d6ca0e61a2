/** @jest-environment <rootDir>/jsdom-environment.js */
import { createMock } from 'petstore-mock'
import { interceptRequests } from 'petstore-mock/node'

const mock = createMock()
const interception = interceptRequests(mock)
afterAll(() => interception.stop())

test('answers XMLHttpRequest', async () => {
  const request = new XMLHttpRequest()
  request.open('PATCH', 'https://api.petstore.example/v1/inventory/1')
  request.setRequestHeader('Authorization', 'Bearer demo-key')
  request.setRequestHeader('Content-Type', 'application/json')
  request.send('{"quantity":20}')
  await new Promise((resolve) => request.addEventListener('loadend', resolve))
  expect(request.responseText).toBe('{"petId":1,"quantity":20,"status":"available"}')
  expect(mock.inventory.get(1).quantity).toBe(20)
})
