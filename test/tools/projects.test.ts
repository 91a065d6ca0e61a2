import { expect, test, vi } from 'vitest'

interface Project {
  readonly test: {
    readonly name: string
    readonly maxWorkers?: number
    readonly sequence?: { readonly groupOrder?: number }
  }
}

// Vitest runs nothing at all where projects of one group differ in their number of workers, which without the option depends on
// the machine.
test('the projects of a group have the same number of workers', async () => {
  // Of browsers that are missing.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { default: config } = await import('../../vitest.config.ts')
  const projects = (config as unknown as { test: { projects: Project[] } }).test.projects
  const groups = Map.groupBy(projects, ({ test }) => test.sequence?.groupOrder)
  expect(groups.has(undefined)).toBe(false)
  for (const members of groups.values()) {
    const [{ test: first } = expect.fail(), ...others] = members
    expect(first.maxWorkers).toBeTypeOf('number')
    expect(others.map(({ test }) => test.maxWorkers)).toEqual(others.map(() => first.maxWorkers))
  }
})
