import { test } from 'vitest'
import { expectSound } from './expect-sound.ts'

// More of them: test/long/fuzz.test.ts.
test('hostile clients get strict responses, and nothing that was acknowledged is lost', () => expectSound(400))
