/** The release notes of a version: its section of CHANGELOG.md, one line per entry, because GitHub keeps line breaks. */
export interface ReleaseNotes {
  readonly text: string
  /** What the heading has in parentheses: the date, or `unreleased`. */
  readonly date: string
}

/** Throws if the changelog has no section for the version, or an empty one. */
export function toNotes(changelog: string, version: string): ReleaseNotes {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((each) => each.startsWith(`${version} (`))
  const [, date = '', entries = ''] = /^\S+ \(([^)]+)\)\n([\s\S]*)$/.exec(section ?? '') ?? []
  if (entries.trim() === '') {
    throw new Error(
      `Failed to write the release notes: CHANGELOG.md has no entries for ${version}. Add a section "## ${version} (DATE)".`,
    )
  }
  return { text: `# petstore-mock ${version}\n\n${joinLines(entries.trim())}\n`, date }
}

/** Joins the lines of each list item, which the changelog breaks at 120 characters. */
function joinLines(entries: string): string {
  return entries.replaceAll(/\n {2}(?=\S)/g, ' ')
}
