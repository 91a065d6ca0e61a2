import { createFetchList, createPlainFetchList } from './fetch-list.ts'
import { createInterceptedFetch, createSetupServerFetch } from './intercepted-fetch.ts'
import { createListBytes, createPlainListBytes } from './list-bytes.ts'
import { createPatchPet } from './patch-pet.ts'
import { createResetState } from './reset-state.ts'
import type { Subject } from './subject.ts'

/** How a subject is made. */
export interface SubjectOptions {
  readonly pets: number
  readonly changes: boolean
}

/** All subjects, by name. */
export const SUBJECTS = {
  'fetch-list': createFetchList,
  'plain-fetch-list': createPlainFetchList,
  'intercepted-fetch': createInterceptedFetch,
  'setup-server-fetch': createSetupServerFetch,
  'patch-pet': createPatchPet,
  'list-bytes': createListBytes,
  'plain-list-bytes': createPlainListBytes,
  'reset-state': createResetState,
} as const satisfies Record<string, (options: SubjectOptions) => Promise<Subject>>

export type SubjectName = keyof typeof SUBJECTS
