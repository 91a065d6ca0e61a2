import { createMock } from 'petstore-mock'

export const mock = createMock()
