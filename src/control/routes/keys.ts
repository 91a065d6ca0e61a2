import * as v from 'valibot'
import { mustSecretly, object, parseWith } from '../../http/schema.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'
import { readJson } from './read-json.ts'

const secret = v.optional(v.string(mustSecretly('a string')))

const CHANGE = v.pipe(
  object<{ add: string | undefined; revoke: string | undefined }>({ add: secret, revoke: secret }),
  v.check(({ add, revoke }) => add !== undefined || revoke !== undefined, 'it needs add or revoke'),
)

/** Keys are in the body, because addresses end up in logs. No response repeats them. */
export const changeKeys: ControlRoute<'changeKeys'> = defineControlRoute('changeKeys', async (context) => {
  const { sandbox } = context
  const refusal = { failure: 'Failed to change the API keys', subject: 'the body' }
  const { add, revoke } = parseWith(CHANGE, await readJson(context), refusal)
  if (add !== undefined) sandbox.keys.add(add)
  if (revoke !== undefined) sandbox.keys.revoke(revoke)
  return { status: 204 }
})
