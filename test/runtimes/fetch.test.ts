import { connectFetch, describeContract } from '../contract.ts'

describeContract({ name: 'mock.fetch', connect: (mock) => connectFetch(mock) })
