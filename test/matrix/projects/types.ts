import { createMock, type Fault, type Mock } from 'petstore-mock'
import { connectMock } from 'petstore-mock/client'
import { interceptRequests } from 'petstore-mock/node'
import { type RunningServer, serve } from 'petstore-mock/server'

const fault: Fault = { operation: 'updateInventory', status: 503, times: 1 }
const mock: Mock = createMock({ fixture: 'low-stock', delay: '100-300' })
mock.faults.add(fault)
// @ts-expect-error There is no such operation.
mock.faults.add({ operation: 'updateInventry' })
const server: RunningServer = await serve(mock, { port: 0 })
const { quantity } = (await connectMock(server.url).inventory.get(1)) ?? { quantity: 0 }
export const stock: number = quantity
interceptRequests(mock).stop()
await server.close()
