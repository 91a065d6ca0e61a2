import { createStateFile } from '../../src/cli/serve/state-file.ts'
import { createMock } from '../../src/index.ts'

// Saves two states in turn, without end, until it is killed; says when the first one is there.
const [path = ''] = process.argv.slice(2)
const mock = createMock()
const file = createStateFile(path)
await file.load(mock)
await file.save()
process.stdout.write('saved\n')
for (;;) {
  for (const fixture of ['empty', 'default']) {
    mock.load(fixture)
    await file.save()
  }
}
