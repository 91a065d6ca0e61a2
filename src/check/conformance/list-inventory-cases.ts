import { type CaseDefinition, type CaseRule, type ConformanceCase, defineCase, WRONG_KEY } from './conformance-case.ts'
import { parsePets } from './listed-pet.ts'

/** The cases of `GET /inventory`. */
export function defineListInventoryCases(): readonly ConformanceCase[] {
  return [
    list({ title: 'a valid key is 200', expected: 200, request: () => ({}), rule: findRepeatedPet }),
    list({ title: 'no key is 401', expected: 401, request: () => ({ authorization: null }) }),
    list({ title: 'a wrong key is 401', expected: 401, request: () => ({ authorization: `Bearer ${WRONG_KEY}` }) }),
    list({
      title: 'the key under another scheme is 401',
      expected: 401,
      request: ({ apiKey }) => ({ authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}` }),
    }),
    list({
      title: 'the key without a scheme is 401',
      expected: 401,
      request: ({ apiKey }) => ({ authorization: apiKey }),
    }),
    list({ title: 'a scheme without a key is 401', expected: 401, request: () => ({ authorization: 'Bearer' }) }),
    list({
      title: '401 names Bearer in WWW-Authenticate',
      source: 'decision',
      expected: 401,
      request: () => ({ authorization: null }),
      rule: findChallengeFault,
    }),
    list({
      title: 'the scheme in lower case is 200',
      source: 'decision',
      expected: 200,
      request: ({ apiKey }) => ({ authorization: `bearer ${apiKey}` }),
    }),
  ]
}

function list(definition: Omit<CaseDefinition, 'operation'>): ConformanceCase {
  return defineCase({ operation: 'listInventory', ...definition })
}

/** One entry per tracked pet. */
const findRepeatedPet: CaseRule = ({ json }) => {
  const ids = (parsePets(json) ?? []).map(({ petId }) => petId)
  const seen = new Set<string>()
  const repeated = ids.find((id) => seen.size === seen.add(id).size)
  return repeated === undefined ? undefined : `The list has more than one entry for pet ${repeated}`
}

/** A 401 must say how to authenticate (RFC 9110, section 11.6.1). */
const findChallengeFault: CaseRule = ({ headers }) => {
  const challenge = headers.get('www-authenticate')
  if (challenge === null) return 'WWW-Authenticate is missing'
  return /^bearer\b/i.test(challenge) ? undefined : `WWW-Authenticate should name Bearer and is ${challenge}`
}
