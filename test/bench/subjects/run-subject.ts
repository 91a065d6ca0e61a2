// Runs one subject in a process of its own: for each number that comes it works so many times, and sends the time.
import { SUBJECTS, type SubjectName } from './subjects.ts'

const [name = '', options = '{}'] = process.argv.slice(2)
const subject = await SUBJECTS[name as SubjectName](JSON.parse(options))

process.on('message', async (count: number) => {
  const answer = count === 0 ? await subject.check() : await subject.run(count)
  process.send?.({ answer })
})
process.on('disconnect', () => process.exit())
process.send?.({ answer: 'ready' })
