import { expect, test, vi } from 'vitest'

interface Project {
  readonly test: { readonly name: string; readonly sequence?: { readonly groupOrder?: number } }
}

// Vitest runs nothing at all where projects of one group differ in their number of workers, which depends on the machine.
test('each project of the tests is a group of its own', async () => {
  // Of browsers that are missing.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { default: config } = await import('../../vitest.config.ts')
  const projects = (config as unknown as { test: { projects: Project[] } }).test.projects
  const groups = projects.map(({ test }) => test.sequence?.groupOrder)
  expect(groups).not.toContain(undefined)
  expect(new Set(groups).size).toBe(projects.length)
})
