import { expect, test } from 'vitest'
import { createMock } from '../../../src/index.ts'
import { interceptRequests } from '../../../src/runtimes/node.ts'

/** The files of this suite, each with the quantity that it gives to the same pet. */
export const NEIGHBOURS = ['first', 'second', 'third', 'fourth']

const URL = 'https://api.petstore.example/v1/inventory/1'
const REPEAT_MS = 10

/** A test file that changes pet 1 while its neighbours do, through jsdom's XMLHttpRequest and through the controls. */
export function testAmongNeighbours(name: string): void {
  const quantity = 1000 + NEIGHBOURS.indexOf(name)

  test(`${name} sees its own changes alone`, async () => {
    const mock = createMock()
    using _interception = interceptRequests(mock)
    const meeting = openMeeting(name)
    await meeting.wait('ready')
    expect(mock.inventory.get(1)?.quantity).toBe(12)

    expect(await update(quantity)).toBe(`{"petId":1,"quantity":${quantity},"status":"available"}`)
    mock.inventory.add({ petId: quantity, quantity: 1, status: 'pending' })
    mock.inventory.remove(2)
    await meeting.wait('changed')

    expect(mock.inventory.get(1)?.quantity).toBe(quantity)
    expect(mock.inventory.list().map(({ petId }) => petId)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, quantity])
    expect(mock.journal.entries).toHaveLength(1)
    mock.reset()
    expect(mock.inventory.get(1)?.quantity).toBe(12)
    await meeting.wait('over')
    meeting.close()
  })
}

function update(quantity: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PATCH', URL)
    request.setRequestHeader('Authorization', 'Bearer demo-key')
    request.setRequestHeader('Content-Type', 'application/json')
    request.addEventListener('load', () => resolve(request.responseText))
    request.addEventListener('error', reject)
    request.send(JSON.stringify({ quantity }))
  })
}

/** Where neighbours meet: a channel that reaches from thread to thread, as one that a mock opened would. */
function openMeeting(name: string) {
  const channel = new BroadcastChannel('neighbours')
  const heard = new Set<string>()
  channel.onmessage = ({ data }) => heard.add(data)
  return {
    /** Resolves when all have come so far. */
    async wait(stage: string): Promise<void> {
      heard.add(`${name} ${stage}`)
      while (!NEIGHBOURS.every((neighbour) => heard.has(`${neighbour} ${stage}`))) {
        channel.postMessage(`${name} ${stage}`)
        await new Promise((resolve) => setTimeout(resolve, REPEAT_MS))
      }
      // The last to be heard may not have heard this one yet.
      channel.postMessage(`${name} ${stage}`)
    },
    close: () => channel.close(),
  }
}
