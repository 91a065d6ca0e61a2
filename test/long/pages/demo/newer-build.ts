import { expect } from 'vitest'
import type { FolderServer } from '../../../demo/serve-folder.ts'

/** Changes the site's files to those of a newer build, whose page is in British English. */
export function publishNewer({ files }: FolderServer): void {
  const worker = files.get('worker.js') ?? ''
  const newer = worker.replace(/(?<=name = prefix \+ ")[^"]*(?=")/, 'newbuild')
  expect(newer).not.toBe(worker)
  files.set('worker.js', newer)
  files.set('index.html', (files.get('index.html') ?? '').replace('lang="en"', 'lang="en-GB"'))
}

/** Runs in the page: sends a request that the mock never answers. Resolves when the worker has passed it to the page. */
export async function sendUnanswered(): Promise<void> {
  await fetch('_mock/faults', { method: 'POST', body: JSON.stringify({ error: 'timeout' }) })
  const passedOn = new Promise<void>((resolve) => {
    navigator.serviceWorker.addEventListener('message', ({ data }) => {
      if (data?.type === 'REQUEST' && data.payload?.url.endsWith('/v1/inventory?unanswered')) resolve()
    })
  })
  fetch('v1/inventory?unanswered').catch(() => {})
  await passedOn
}
