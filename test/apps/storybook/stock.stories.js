import { mock } from './.storybook/mock.js'
import { createStock } from './stock.js'

export default { title: 'Stock', render: createStock }

export const InStock = {}

export const SoldOut = { beforeEach: () => mock.load('sold-out') }

export const Outage = { beforeEach: () => void mock.faults.add({ status: 503 }) }
