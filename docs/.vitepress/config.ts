import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { writeLlmsFiles } from './llms.ts'
import { siteLink } from './repository-files.ts'
import { sidebar } from './sidebar.ts'
import { slugify } from './slug.ts'

const docs = fileURLToPath(new URL('..', import.meta.url))
const title = 'unplugin-mock-api'
const description = 'A mock API inside the dev server you already run, answered from fixture files.'

/** Pages of the sidebar that nobody has written yet. */
const planned = sidebar
  .flatMap(({ items }) => items.map(([, page]) => page))
  .filter((page) => !existsSync(`${docs}/${page}.md`))

export default defineConfig({
  title,
  description,
  lang: 'en',
  // The path below which the site is served: DOCS_BASE=/docs/ npm run docs:build
  base: process.env['DOCS_BASE'] ?? '/',
  // An empty icon keeps browsers from asking for /favicon.ico.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'Fixture reference', link: '/fixture-reference' },
      { text: 'Diagnostics', link: '/diagnostics' },
      { text: 'Comparison', link: '/comparison' },
    ].filter(({ link }) => existsSync(`${docs}${link}.md`)),
    sidebar: sidebar.map(({ text, items }) => ({
      text,
      items: items
        .filter(([, page]) => existsSync(`${docs}/${page}.md`))
        .map(([title, page]) => ({ text: title, link: `/${page}` })),
    })),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    footer: { message: 'MIT license' },
  },
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    config(md) {
      md.core.ruler.push('repository-links', ({ tokens, env }) => {
        const page = `docs/${(env as { relativePath: string }).relativePath}`
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null
          const target = href && siteLink(page, href)
          if (target) token.attrSet('href', target)
        }
      })
    },
  },
  ignoreDeadLinks: planned.map((page) => new RegExp(`${page}$`)),
  buildEnd: writeLlmsFiles,
})
