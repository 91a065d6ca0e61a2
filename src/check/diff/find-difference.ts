import { OPERATIONS } from '../../contract/operations.gen.ts'
import { isJsonObject } from '../../http/exact-json.ts'
import { hideInHeader } from '../../http/hide-credentials.ts'
import { showValue } from '../../http/quote.ts'
import type { CheckRequest } from '../conformance/exchange.ts'
import { hideKey } from '../hide-key.ts'
import type { MirroredExchange, MirroredResponse } from './mirror-session.ts'

/** A request that the mock and the service answer differently, as lines of text without credentials. */
export interface Difference {
  readonly request: string
  readonly ours: string
  readonly theirs: string
}

const LONGEST_VALUE = 60

/**
 * Finds the first request whose responses differ in what the specification defines, or in whether a 401 names Bearer.
 * @param apiKey The key of the service, which is not shown.
 */
export function findDifference(exchanges: readonly MirroredExchange[], apiKey: string): Difference | undefined {
  for (const { request, ours, theirs } of exchanges) {
    const [own, other] = compareViews(toView(ours), toView(theirs))
    if (own !== other) return { request: showRequest(request), ours: own, theirs: hideKey(other, apiKey) }
  }
  return undefined
}

/** Texts that differ if the responses do. Of a list, they show the first pet that differs. */
function compareViews(ours: ResponseView, theirs: ResponseView): readonly [string, string] {
  if (ours.text !== theirs.text) return [ours.text, theirs.text]
  const petId = [...ours.pets.keys(), ...theirs.pets.keys()].find((id) => ours.pets.get(id) !== theirs.pets.get(id))
  if (petId === undefined) return ['', '']
  const show = ({ pets }: ResponseView): string => `200 […, ${pets.get(petId) ?? `no pet ${petId}`}, …]`
  return [show(ours), show(theirs)]
}

/** A response as text, apart from the pets of a list, whose order does not matter. */
interface ResponseView {
  readonly text: string
  readonly pets: ReadonlyMap<string, string>
}

const NO_PETS: ReadonlyMap<string, string> = new Map()

function toView(response: MirroredResponse): ResponseView {
  if ('failure' in response) return { text: `no complete response: ${response.failure}`, pets: NO_PETS }
  const { status, headers, json } = response
  if (Array.isArray(json)) {
    const pets = json.map((item: unknown) => [toPetId(item), showMembers(item, ITEM)] as const)
    return { text: `${status} [${pets.length === new Map(pets).size ? '' : 'repeated pets'}]`, pets: new Map(pets) }
  }
  const body = json === undefined ? 'no JSON' : showMembers(json, status < 400 ? ITEM : ERROR)
  const challenge = status === 401 ? toChallenge(headers.get('www-authenticate')) : ''
  return { text: `${status} ${body}${challenge}`, pets: NO_PETS }
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
