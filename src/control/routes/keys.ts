import * as v from 'valibot'
import { isJsonObject } from '../../http/exact-json.ts'
import { mustSecretly, object, parseWith } from '../../http/schema.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'
import { readJson } from './read-json.ts'

const secret = v.optional(v.string(mustSecretly('a string')))

const NAMES: readonly string[] = ['add', 'revoke']

/** The first two checks come before those of `object`, whose messages repeat the value or an unknown name. */
const CHANGE = v.pipe(
  v.custom<unknown>(isJsonObject, mustSecretly('an object with add, revoke')),
  v.check(
    (body) => Object.keys(body as object).every((name) => NAMES.includes(name)),
    'it may only have add and revoke',
  ),
  object<{ add: string | undefined; revoke: string | undefined }>({ add: secret, revoke: secret }),
  v.check(({ add, revoke }) => add !== undefined || revoke !== undefined, 'it needs add or revoke'),
)

/** Keys are in the body, because addresses end up in logs. No response repeats them. */
export const changeKeys: ControlRoute<'changeKeys'> = defineControlRoute('changeKeys', async (context) => {
  const { sandbox } = context
  const refusal = { failure: 'Failed to change the API keys', subject: 'the body' }
  sandbox.keys.change(parseWith(CHANGE, await readJson(context), refusal))
  return { status: 204 }
})
