import { OPERATIONS } from '../../contract/operations.gen.ts'
import { isJsonObject } from '../../http/exact-json.ts'
import { HIDDEN, hideInHeader } from '../../http/hide-credentials.ts'
import { showValue } from '../../http/quote.ts'
import type { CheckRequest } from '../conformance/exchange.ts'
import type { RecordedExchange } from './record-session.ts'

/** A request that the mock and the service answer differently, as lines of text without credentials. */
export interface Difference {
  readonly request: string
  readonly ours: string
  readonly theirs: string
}

/** Both sides of a case, request by request. */
export interface ComparedExchanges {
  readonly ours: readonly RecordedExchange[]
  readonly theirs: readonly RecordedExchange[]
  /** The key of the service, which must not be shown. */
  readonly apiKey: string
}

const LONGEST_VALUE = 60

/** Finds the first request whose responses differ in what the specification defines, and in whether a 401 names Bearer. */
export function findDifference({ ours, theirs, apiKey }: ComparedExchanges): Difference | undefined {
  const secrets = [apiKey, Buffer.from(`${apiKey}:`).toString('base64')]
  const hide = (text: string): string => secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text)
  for (const [index, own] of ours.entries()) {
    const other = theirs[index]
    if (other === undefined) return undefined
    const pair = [own, other].map(toView)
    const [first = NO_VIEW, second = NO_VIEW] = pair
    if (first.text !== second.text)
      return { request: showRequest(own.request), ours: first.text, theirs: hide(second.text) }
    const petId = [...first.pets.keys(), ...second.pets.keys()].find((id) => first.pets.get(id) !== second.pets.get(id))
    if (petId === undefined) continue
    const show = ({ pets }: ResponseView): string => `200 […, ${pets.get(petId) ?? `no pet ${petId}`}, …]`
    return { request: showRequest(own.request), ours: show(first), theirs: hide(show(second)) }
  }
  return undefined
}

/** A response as text, apart from the pets of a list, whose order does not matter. */
interface ResponseView {
  readonly text: string
  readonly pets: ReadonlyMap<string, string>
}

const NO_VIEW: ResponseView = { text: '', pets: new Map() }

function toView({ response, failure }: RecordedExchange): ResponseView {
  if (response === undefined) return { ...NO_VIEW, text: `no complete response: ${failure}` }
  const { status, headers, json } = response
  if (Array.isArray(json)) {
    const pets = json.map((item: unknown) => [toPetId(item), showMembers(item, ITEM)] as const)
    return { text: `${status} [${pets.length === new Map(pets).size ? '' : 'repeated pets'}]`, pets: new Map(pets) }
  }
  const body = json === undefined ? 'no JSON' : showMembers(json, status < 400 ? ITEM : ERROR)
  const challenge = status === 401 ? toChallenge(headers.get('www-authenticate')) : ''
  return { ...NO_VIEW, text: `${status} ${body}${challenge}` }
}

const ITEM = ['petId', 'quantity', 'status']
const ERROR = ['code', 'status']

/** The members that the specification defines, apart from the message of an error, which is for people. */
function showMembers(json: unknown, names: readonly string[]): string {
  if (!isJsonObject(json)) return showValue(json, LONGEST_VALUE)
  const members = names.filter((name) => Object.hasOwn(json, name))
  return `{${members.map((name) => `"${name}":${showValue(json[name], LONGEST_VALUE)}`).join(',')}}`
}

function toPetId(item: unknown): string {
  return isJsonObject(item) ? showValue(item['petId'], LONGEST_VALUE) : ''
}

function toChallenge(value: string | null): string {
  if (value === null) return ', without WWW-Authenticate'
  return /^bearer\b/i.test(value) ? '' : ', with a WWW-Authenticate other than Bearer'
}

function showRequest({ operation: id, petId = '1', authorization, body, contentType }: CheckRequest): string {
  const operation = OPERATIONS.find((each) => each.id === id)
  const path = operation?.path.replace('{petId}', petId)
  const parts = [
    authorization === null && 'without Authorization',
    typeof authorization === 'string' && `with Authorization: ${hideInHeader('authorization', authorization)}`,
    contentType === null && 'without Content-Type',
    typeof contentType === 'string' && contentType !== 'application/json' && `with Content-Type: ${contentType}`,
  ].filter((part) => part !== false)
  return [
    `${operation?.method} ${path}`,
    ...(body === undefined ? [] : [body]),
    ...(parts.length > 0 ? [parts.join(', ')] : []),
  ].join(' ')
}
