import { type JournalEntry, parseJson } from '../api/model.ts'

/** The forms of a copied request: a shell command, a statement for a page, a test for Vitest. */
export type CopyForm = 'curl' | 'fetch' | 'test'

interface CopyTarget {
  readonly url: URL
  readonly apiKey: string
  /** The base path of the service. */
  readonly basePath: string
}

/** Formats a request of the journal, with the current key, or with one that is refused as its own was. */
export const copyRequest: Readonly<Record<CopyForm, (entry: JournalEntry, target: CopyTarget) => string>> = {
  curl(entry, { url, apiKey }) {
    const { method, body } = entry.request
    const headers = Object.entries(toHeaders(entry, apiKey))
    const lines = headers.map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`))
    // Without this, curl adds a type of its own.
    if (body !== '' && !headers.some(([name]) => name === 'content-type')) lines.push('content-type:')
    return [
      'curl',
      ...(/[[\]{}]/.test(url.href) ? ['--globoff'] : []),
      ...(method === 'GET' && body === ''
        ? []
        : method === 'HEAD'
          ? ['--head']
          : ['-X', /^[A-Z]+$/.test(method) ? method : quote(method)]),
      ...lines.flatMap((line) => ['-H', quote(line)]),
      ...(body === '' ? [] : ['--data-raw', quote(body)]),
      quote(url.href),
    ].join(' ')
  },
  fetch(entry, { url, apiKey }) {
    return `await fetch(${JSON.stringify(url.href)}, ${JSON.stringify(toInit(entry, apiKey), null, 2)})`
  },
  test: toTest,
}

/** A test that seeds what the response shows, repeats the fault and the request, and expects the response. */
function toTest(entry: JournalEntry, { basePath }: CopyTarget): string {
  const { request, answer, fault } = entry
  const title = `${request.method} ${request.path} ${answer === undefined ? 'gets no response' : `is ${answer.status}`}`
  const base = basePath === '/v1' ? '' : `baseUrl: ${JSON.stringify(basePath)}, `
  const call = `mock.fetch(${JSON.stringify(request.path)}, ${JSON.stringify(toInit(entry, 'demo-key'))})`
  const lines = [
    'import { createMock } from "petstore-mock"',
    'import { expect, test } from "vitest"',
    '',
    `test(${JSON.stringify(title)}, async () => {`,
    `  const mock = createMock({ ${base}fixture: { inventory: ${toSeed(entry)} } })`,
    ...(fault === undefined ? [] : [`  mock.faults.add(${JSON.stringify(toFault(entry))})`]),
    ...(answer === undefined
      ? [`  await expect(${call}).rejects.toThrow()`]
      : [
          `  const response = await ${call}`,
          `  expect(response.status).toBe(${answer.status})`,
          ...toBodyCheck(entry),
        ]),
    '})',
    '',
  ]
  return lines.join('\n')
}

/** The pets that the response shows; without one, a pet of the request's id unless it was unknown. */
function toSeed({ answer, petId }: JournalEntry): string {
  const pets = answer?.status === 200 ? readPets(answer.body) : undefined
  if (pets !== undefined) return JSON.stringify(pets)
  if (petId === undefined || answer?.status === 404) return '[]'
  return JSON.stringify([{ petId, quantity: 1, status: 'available' }])
}

/** Pets of a list or of an update, each `petId` as a string, which keeps its digits. */
function readPets(body: string): unknown[] | undefined {
  try {
    const value = [parseJson<unknown>(body)].flat()
    return value.every((pet) => typeof pet === 'object' && pet !== null && 'petId' in pet) ? value : undefined
  } catch {
    return undefined
  }
}

function toFault({ fault, answer }: JournalEntry): object {
  if (fault?.error !== undefined) return { error: fault.error, times: 1 }
  return fault?.status === undefined ? { delay: 1, times: 1 } : { status: answer?.status ?? fault.status, times: 1 }
}

/** Compares the body of a success, and the code of an error. */
function toBodyCheck({ answer, request }: JournalEntry): string[] {
  if (answer === undefined || request.method === 'HEAD' || answer.isCut === true) return []
  try {
    const value = JSON.parse(answer.body) as { code?: unknown }
    if (answer.status < 400) return [`  expect(await response.json()).toEqual(${JSON.stringify(value)})`]
    if (value.code === undefined) return []
    return [`  expect(await response.json()).toMatchObject({ code: ${JSON.stringify(value.code)} })`]
  } catch {
    return []
  }
}

function toInit(entry: JournalEntry, apiKey: string): object {
  const { method, body } = entry.request
  return { method, headers: toHeaders(entry, apiKey), ...(body !== '' && { body }) }
}

function toHeaders(entry: JournalEntry, apiKey: string): Readonly<Record<string, string>> {
  if (!isKeyRefused(entry)) return { authorization: `Bearer ${apiKey}`, ...toOwnHeaders(entry) }
  const hadKey = entry.request.headers['authorization'] !== undefined
  return { ...(hadKey && { authorization: 'Bearer wrong-key' }), ...toOwnHeaders(entry) }
}

/** Whether the mock refused the key, which the journal hides. Of a 401 that something else made, the key is not the reason. */
export function isKeyRefused({ answer, fault, by }: JournalEntry): boolean {
  return answer?.status === 401 && (fault ?? by ?? answer.headers['preference-applied']) === undefined
}

/** Quotes a text for sh, bash, zsh and fish, in which a backslash within quotes may escape the quote. */
function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "'\\$&'")}'`
}

/** Headers about the connection or the client, not about the request itself. */
const TRAVEL =
  /^(authorization|host|connection|content-length|transfer-encoding|keep-alive|te|upgrade|expect|origin|referer|user-agent|cookie|accept-(encoding|language)|cache-control|pragma|priority|dnt|sec-.*|proxy-.*)$/

/** The journal's placeholder for a credential. */
const HIDDEN = '(hidden)'

/** The headers of a request to replay. Clients send their own `Accept` for any type. */
export function toOwnHeaders({ request }: JournalEntry): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name, value]) => !TRAVEL.test(name) && value !== '*/*' && !value.includes(HIDDEN),
    ),
  )
}

/** Whether a terminal takes the request as text. It would obey control characters that are pasted. */
export function isPrintable({ request: { body, headers } }: JournalEntry): boolean {
  return !/[^\P{Cc}\n]/u.test([body, ...Object.values(headers)].join('\n'))
}

/** Whether a test of a new mock can send the request and get what it got here. */
export function isTestable(entry: JournalEntry): boolean {
  const { answer, fault, by } = entry
  if (by !== undefined || explainNoReplay(entry) !== undefined) return false
  return answer === undefined ? /^(?:network|reset)$/.test(fault?.error ?? '') : fault?.error === undefined
}

/** Why a request cannot be sent again, as a sentence; `undefined` if it can. */
export function explainNoReplay(entry: JournalEntry): string | undefined {
  if (entry.request.path.includes(HIDDEN))
    return 'This request cannot be sent again: its URL contains credentials, which the mock redacts.'
  if (entry.request.isCut === true) return 'This request cannot be sent again: the mock kept only part of its body.'
  return undefined
}
