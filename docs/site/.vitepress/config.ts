import { defineConfig } from 'vitepress'
import { GROUPS, toAnchor, toSitePath } from '../pages.ts'

export default defineConfig({
  title: 'petstore-mock',
  description: "An in-memory mock server and test double of the petstore's inventory service",
  srcDir: '.pages',
  outDir: 'dist',
  // For a site below a path: DOCS_BASE=/petstore-mock/ node docs/site/build.ts
  base: process.env['DOCS_BASE'] ?? '/',
  cleanUrls: false,
  markdown: { anchor: { slugify: toAnchor } },
  // Files of the repository, such as the OpenAPI document, are no pages.
  ignoreDeadLinks: [/^\/(spec|test|docs|src)\//],
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    sidebar: GROUPS.map(({ title, pages }) => ({
      text: title,
      items: pages.map(({ file, title: text }) => ({
        text,
        link: `/${toSitePath(file).replace(/(index)?\.md$/, '')}`,
      })),
    })),
  },
})
