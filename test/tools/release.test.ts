import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assertSame } from '../../tools/release/build-package.ts'
import { toNotes } from '../../tools/release/to-notes.ts'
import { makeFolder } from '../cli/state-folder.ts'

// The release itself: test/long/release.test.ts.
test('two builds that differ are refused, with the names of the files', async () => {
  const file = join(await makeFolder(), 'a.tgz')
  await writeFile(file, 'packed')
  const toBuild = (...names: string[]) => ({ file, digests: new Map(names.map((name, index) => [name, `${index}`])) })
  const [first, second] = [toBuild('dist/a.js', 'dist/b.js'), toBuild('dist/a.js', 'dist/c.js')]
  await expect(assertSame(first, first)).resolves.toBeUndefined()
  await expect(assertSame(first, second)).rejects.toThrow('a second build differs in dist/b.js, dist/c.js.')
})

test('the notes are the section of the version, with one line per entry', () => {
  const changelog =
    '# Changelog\n\n## 0.2.0 (unreleased)\n\n- Later\n\n## 0.1.0 (2026-11-22)\n\n- One\n  line.\n- Two\n'
  expect(toNotes(changelog, '0.1.0')).toEqual({
    text: '# petstore-mock 0.1.0\n\n- One line.\n- Two\n',
    date: '2026-11-22',
  })
  expect(toNotes(changelog, '0.2.0').date).toBe('unreleased')
  for (const version of ['0.3.0', '0.1'])
    expect(() => toNotes(changelog, version)).toThrow(`CHANGELOG.md has no entries for ${version}. Add a section`)
})
