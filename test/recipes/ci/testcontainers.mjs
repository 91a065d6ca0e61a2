import { connectMock } from 'petstore-mock/client'
import { GenericContainer, Wait } from 'testcontainers'

const container = await new GenericContainer('petstore-mock')
  .withEnvironment({ PETSTORE_MOCK_CONTROL_TOKEN: 'token' })
  .withExposedPorts(4100)
  .withWaitStrategy(Wait.forHealthCheck())
  .start()
const url = `http://${container.getHost()}:${container.getMappedPort(4100)}`
export const mock = connectMock(url, { controlToken: 'token' })
