import { createStateFile } from '../../src/cli/serve/state-file.ts'

// Saves two states in turn, without end, until it is killed; says when the first one is there.
const [path = '', one = '', two = ''] = process.argv.slice(2)
const file = createStateFile(path)
await file.save(one)
process.stdout.write('saved\n')
for (;;) {
  await file.save(two)
  await file.save(one)
}
