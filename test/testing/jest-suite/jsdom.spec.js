/** @jest-environment <rootDir>/jsdom-environment.js */
import { jest } from '@jest/globals'
import { createMock } from 'petstore-mock'
import { interceptRequests } from 'petstore-mock/node'

const mock = createMock()
const interception = interceptRequests(mock)
afterEach(() => mock.reset())
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

test('an update that XMLHttpRequest aborts during a delay is not applied', async () => {
  mock.faults.add({ delay: 60_000 })
  const request = new XMLHttpRequest()
  const events = []
  for (const type of ['load', 'error', 'abort', 'loadend']) request.addEventListener(type, () => events.push(type))
  request.open('PATCH', 'https://api.petstore.example/v1/inventory/2')
  request.setRequestHeader('Authorization', 'Bearer demo-key')
  request.setRequestHeader('Content-Type', 'application/json')
  request.send('{"quantity":99}')
  while (mock.clock.pending === 0) await new Promise((resolve) => setTimeout(resolve))
  request.abort()
  while (mock.clock.pending > 0) await new Promise((resolve) => setTimeout(resolve))
  expect(events).toEqual(['abort', 'loadend'])
  expect(mock.inventory.get(2).quantity).not.toBe(99)
})

describe('with fake timers', () => {
  const send = () => {
    const request = new XMLHttpRequest()
    request.open('GET', 'https://api.petstore.example/v1/inventory')
    request.send()
    return new Promise((resolve) => request.addEventListener('loadend', () => resolve(request.status)))
  }
  afterEach(() => jest.useRealTimers())

  test('says why an XMLHttpRequest waits', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => {})
    jest.useFakeTimers()
    const answered = send()
    expect(log.mock.calls).toEqual([[expect.stringContaining("jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })")]])
    log.mockRestore()
    jest.runAllTicks()
    expect(await answered).toBe(401)
  })

  test('answers XMLHttpRequest where queueMicrotask is real', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })
    expect(await send()).toBe(401)
  })
})
