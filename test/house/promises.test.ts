import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

/** The promises of the README by a few of their words, each with a test that fails if it is broken. */
const PROMISES = [
  ['unknown options, flags', 'test/unknown-names.test.ts', '%s refuses what it does not understand, by name'],
  ['fixture properties', 'test/store/fixture.test.ts', 'every fault is named by file, place and reason'],
  ['a 501', 'test/contract-cases.ts', 'GET /store/orders is 501'],
  ['No HTTP/1.1 request', 'test/runtimes/node.clients.test.ts', 'is answered by the mock (%s)'],
  ['only requests below `baseUrl`', 'test/runtimes/node.test.ts', 'narrowed by a baseUrl it touches nothing else'],
  ['Credentials', 'test/secrets.test.ts', 'is repeated nowhere, and marked in the journal'],
  ['unless you pass `--state`', 'test/cli/serve.test.ts', 'without --state, the state ends with the process'],
  ['the same bytes', 'test/browser/worker.contract.test.ts', 'describeContract'],
  ['checks them', 'test/check/checked-server.contract.test.ts', 'the server behind Prism'],
  ['in the next response', 'test/contract-cases.ts', 'sets the quantity, and the next list shows it'],
  ['tests in parallel', 'test/runtimes/server.sandboxes.test.ts', '200 clients at once'],
  ['work offline', 'test/demo/offline.test.ts', 'without a network'],
  ['licences', 'test/package/licences.test.ts', 'contain the whole text of $name $version'],
  ['by its key', 'test/examples/sandboxes.test.ts', 'test %i has the pets to itself'],
  ['Breaks connections', 'test/runtimes/server.attacks.test.ts', 'reset resets a connection with TLS'],
  ['Delays responses', 'test/sandbox/clock.test.ts', 'of a sandbox act there alone, until its reset'],
  ['Records requests', 'test/sandbox/journal.test.ts', 'tells what was asked and what was answered, without the key'],
] as const

test.each(PROMISES)('the README says “%s”, which %s holds', (promise, file, title) => {
  expect(read('README.md').replaceAll(/\s+/g, ' ')).toContain(promise)
  expect(read(file)).toContain(title)
})

function read(file: string): string {
  return readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8')
}
