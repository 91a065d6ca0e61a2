import { badKeyCases } from './bad-keys.ts'
import { type CaseDefinition, type CaseRule, type ConformanceCase, defineCase } from './conformance-case.ts'
import { parsePets } from './listed-pet.ts'
import { findRepeated } from './stock.ts'

/** The cases of `GET /inventory`. */
export function defineListInventoryCases(): readonly ConformanceCase[] {
  return [
    list({ title: 'a valid key is 200', expected: 200, request: () => ({}), rule: findListFault }),
    ...badKeyCases(({ authorization, ...definition }) =>
      list({ ...definition, request: (session) => ({ authorization: authorization(session) }) }),
    ),
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

/** One entry per tracked pet, and all of them. */
const findListFault: CaseRule = ({ json, headers }) => {
  const [repeated] = findRepeated(parsePets(json) ?? [])
  if (repeated !== undefined) return `The list has more than one entry for pet ${repeated}`
  const link = headers.get('link') ?? ''
  return /;\s*rel="?next\b/i.test(link)
    ? `The list is only a part, which continues at ${link.split(';')[0]}: it must hold all pets`
    : undefined
}

/** A 401 must say how to authenticate (RFC 9110, section 11.6.1). */
const findChallengeFault: CaseRule = ({ headers }) => {
  const challenge = headers.get('www-authenticate')
  if (challenge === null) return 'WWW-Authenticate is missing'
  return /^bearer\b/i.test(challenge) ? undefined : `WWW-Authenticate should name Bearer and is ${challenge}`
}
