import { test } from 'vitest'
import { expectSound } from '../hostile/expect-sound.ts'

test('ten thousand cases of hostile clients get strict responses', { timeout: 600_000 }, () => expectSound(10_000))
