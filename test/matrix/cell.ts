/** What a cell belongs to; `--only` names groups. */
export const GROUPS = [
  'node',
  'managers',
  'msw',
  'workers',
  'vitest',
  'runners',
  'typescript',
  'linters',
  'bundlers',
  'clients',
] as const
export type Group = (typeof GROUPS)[number]

export type Manager = 'npm' | 'pnpm' | 'yarn 1' | 'yarn 4 (PnP)' | 'bun' | 'deno'

/** One try of the packed package: a folder with these packages and files, in which these commands succeed. */
export interface Cell {
  readonly group: Group
  readonly title: string
  /** @default 'npm' */
  readonly manager?: Manager
  /** What is installed beside the packed file, with its versions. */
  readonly packages?: Readonly<Record<string, string>>
  /** Names of files in `projects/`, or their content by name. */
  readonly files: readonly (string | { readonly name: string; readonly content: string })[]
  /** Command lines, run in turn, with the installed programs on the PATH. {@link PACKED} stands for the packed file. */
  readonly run: readonly (readonly string[])[]
  /** Members of the folder's package.json. */
  readonly manifest?: Readonly<Record<string, unknown>>
}

/** In a command, the path of the packed file. */
export const PACKED = '{packed}'
