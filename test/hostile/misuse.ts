import { openConnection } from './connection.ts'
import type { CaseReport } from './pipeline.ts'
import type { Random } from './random.ts'
import { toWords } from './requests/bad-values.ts'
import { checkJson, isNoServerError } from './requests/judges.ts'
import { type HeaderLine, JSON_BODY, toBytes } from './requests/request.ts'

const VALUES: readonly string[] = [
  ...toWords(`
    null true 5 "x" [] {} 9223372036854775807 -9223372036854775808 9223372036854775808 1e400 -1e400 -0 5.0
    5.0000000000000001 1e-400 9007199254740993 "\\ud800" "\\u0000" {"toString":1} {"__proto__":{"x":1}} {"constructor":1}
    {"then":1} {"toJSON":"x"} [[[[[]]]]] "__proto__" "constructor" [null] [9223372036854775807] {"a":1,"a":2}
    {"source":"1e400"} {"rawJSON":"1"} "5" "" [1,2] [2,1] [-1,5] 1e3 99999999999 0.5 2
  `),
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `"${'s'.repeat(50_000)}"`,
]

const PET_IDS = [
  '1',
  '"9223372036854775807"',
  '9223372036854775807',
  '9007199254740993',
  '"007"',
  '1.0',
  '1e0',
] as const

/** Routes of the control API, and bodies with `%` where a value goes. */
const ROUTES: readonly (readonly [method: string, path: string, bodies: readonly string[]])[] = [
  [
    'POST',
    '/faults',
    toWords(`
      {"status":503,"body":%} {"status":%} {"error":%} {"delay":%} {"status":500,"times":%} {"status":500,"petId":%}
      {"status":500,"probability":%} {"status":429,"retryAfter":%} {"operation":%,"status":500} %
      {"status":200,"body":{"a":%}} {"__proto__":%,"status":500} {"status":500,"nope":%}
    `),
  ],
  ['PUT', '/pets/1', toWords('{"quantity":%} {"status":%} {"quantity":1,"status":%} % {"__proto__":%}')],
  ['PUT', '/pets/12345', toWords('{"quantity":%,"status":"sold"} {"quantity":1,"status":%} %')],
  [
    'PUT',
    '/state',
    toWords(`
      {"inventory":%} {"inventory":[%]} {"inventory":[{"petId":%,"quantity":1,"status":"sold"}]} %
      {"inventory":[{"petId":1,"quantity":%,"status":"sold"}]} {"inventory":[{"petId":1,"quantity":1,"status":%}]}
      {"description":%,"inventory":[]} {"__proto__":%,"inventory":[]} {"inventory":[],"nope":%}
    `),
  ],
  [
    'POST',
    '/load',
    toWords(`
      {"fixture":%} % {"fixture":"../package"}
      {"fixture":{"inventory":[{"petId":%,"quantity":1,"status":"sold"}]}}
    `),
  ],
  ['PUT', '/delay', toWords('{"delay":%} % {"delay":[0,%]}')],
  ['POST', '/clock', toWords('{"mode":%} {"advance":%} %')],
  ['POST', '/reset', ['%', '']],
  ['POST', '/state/save', ['%', '']],
  ['PATCH', '/pets/1', ['%']],
  ['DELETE', '/faults', ['%']],
]

/** Checks that a sandbox still works, whatever was done to it. */
const CHECKS = [
  '/_mock/faults',
  '/_mock/state',
  '/_mock/journal',
  '/_mock/delay',
  '/_mock/health',
  '/_mock/sandboxes',
] as const

/**
 * Hostile bodies for the control API, in a sandbox that nobody else uses: each is refused, or done, and what was done
 * leaves a sandbox that answers.
 */
export async function runMisuse(
  port: number,
  { random, sandbox }: { random: Random; sandbox: string },
): Promise<CaseReport> {
  const steps = Array.from({ length: 1 + random.below(3) }, () => drawStep(random, sandbox))
  const checks = CHECKS.map((path) => ({
    title: `GET ${path}`,
    bytes: toBytes({ target: `${path}?sandbox=${sandbox}` }),
  }))
  const afterwards = [
    // A delay or a fault that was taken would go on for as long as it says.
    toStep({ method: 'PUT', target: `/_mock/delay?sandbox=${sandbox}`, headers: [JSON_BODY], body: '{"delay":null}' }),
    ...checks,
    toStep({ method: 'DELETE', target: `/_mock/faults?sandbox=${sandbox}` }),
    toStep({ headers: [['Authorization', `Bearer demo-key~${sandbox}`]] }),
    toStep({ method: 'DELETE', target: `/_mock/sandboxes/${sandbox}` }),
  ]
  const title = steps.map((step) => step.title).join(' | ')
  let responses = 0
  using connection = await openConnection(port)
  try {
    for (const [index, step] of [...steps, ...afterwards].entries()) {
      connection.socket.write(step.bytes)
      const next = await connection.next('GET')
      if (!('response' in next))
        return { title, responses, violation: `${step.title}: the connection was ${next.ended}` }
      responses += 1
      const { response } = next
      const isOrdinary = index < steps.length
      const wrong =
        isOrdinary || response.status >= 300
          ? judgeStep(response, isOrdinary)
          : response.status === 204
            ? undefined
            : checkJson(response)
      if (wrong !== undefined) return { title, responses, violation: `${step.title}: ${wrong}` }
    }
    return { title, responses }
  } catch (error) {
    return { title, responses, violation: (error as Error).message }
  }
}

function judgeStep(...[response, isOrdinary]: [Parameters<typeof checkJson>[0], boolean]): string | undefined {
  if (!isOrdinary) return `Got ${response.status} ${response.body.toString('utf8', 0, 300)} afterwards`
  return isNoServerError(response, undefined as never)
}

function drawStep(random: Random, sandbox: string) {
  const [method, path, bodies] = random.pick(ROUTES)
  const body = random.pick(bodies).replace('%', random.chance(0.2) ? random.pick(PET_IDS) : random.pick(VALUES))
  const type: HeaderLine[] = random.chance(0.9)
    ? [JSON_BODY]
    : [['Content-Type', random.pick(['text/plain', 'application/x-www-form-urlencoded'])]]
  return toStep({ method, target: `/_mock${path}?sandbox=${sandbox}`, headers: type, body })
}

function toStep(draft: Parameters<typeof toBytes>[0]) {
  return {
    title: `${draft.method ?? 'GET'} ${draft.target ?? 'list'} ${String(draft.body ?? '').slice(0, 80)}`,
    bytes: toBytes(draft),
  }
}
