import { expect, test } from 'vitest'
import { createRandom } from './random.ts'

test('the cases of a run are spread over all that can be drawn', () => {
  const counts = Array<number>(10).fill(0)
  for (let index = 0; index < 2000; index += 1) {
    const drawn = createRandom(1, index).below(10)
    counts[drawn] = (counts[drawn] ?? 0) + 1
  }
  for (const count of counts) expect(count).toBeGreaterThan(120)
})
