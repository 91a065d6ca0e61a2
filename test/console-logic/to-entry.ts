import type { JournalEntry } from '../../src/console/api/model.ts'

/** Where copied requests go. */
export const TARGET = { url: new URL('http://h/'), apiKey: 'k', basePath: '/v1' }

/** A request of the journal. */
export function toEntry(
  given: Partial<JournalEntry['request']> & { readonly id?: number; readonly answer?: number | undefined },
): JournalEntry {
  const { id = 1, answer, method = 'GET', path = '/v1/inventory', headers = {}, body = '', ...rest } = given
  return {
    id,
    time: '2030-01-01T00:00:00.000Z',
    duration: 1,
    sandbox: 'default',
    resource: path.replace('/v1', ''),
    request: { method, path, headers, body, ...rest },
    ...(answer !== undefined && { answer: { status: answer, headers: {}, body: '' } }),
  }
}
