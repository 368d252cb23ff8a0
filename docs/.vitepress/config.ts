import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { writeLlmsFiles } from './llms.ts'
import { siteLink } from './repository-files.ts'
import { searchRoles } from './search-roles.ts'
import { sidebar } from './sidebar.ts'
import { slugify } from './slug.ts'
import { tryIt } from './try-it.ts'

const title = 'unplugin-mock-api'
const description = 'A mock API inside the dev server you already run, answered from fixture files.'

/** The path below which the site is served: DOCS_BASE=/docs/ npm run docs:build */
const base = process.env['DOCS_BASE'] ?? '/'

/** A worker of the page runs the importers, which read files where there are some. */
const withoutNode = {
  name: 'without-node',
  enforce: 'pre' as const,
  resolveId(id: string) {
    if (/^node:(?:buffer|fs|path|vm)$/.test(id))
      return fileURLToPath(new URL('play/without-node.ts', import.meta.url))
    // What Node's parseArgs was made of.
    return id === 'node:util' ? fileURLToPath(import.meta.resolve('@pkgjs/parseargs')) : undefined
  },
}

export default defineConfig({
  title,
  description,
  lang: 'en',
  base,
  head: [['link', { rel: 'icon', href: `${base}logo.svg`, type: 'image/svg+xml' }]],
  themeConfig: {
    logo: { src: '/logo.svg', alt: '' },
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'Try it', link: '/play' },
      { text: 'Fixture reference', link: '/fixture-reference' },
      { text: 'Diagnostics', link: '/diagnostics' },
      { text: 'Comparison', link: '/comparison' },
    ],
    sidebar: sidebar.map(({ text, items }) => ({
      text,
      items: items.map(([title, page]) => ({ text: title, link: `/${page}` })),
    })),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    footer: { message: 'MIT license' },
  },
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    config(md) {
      tryIt(md, base)
      md.core.ruler.push('repository-links', ({ tokens, env }) => {
        const page = `docs/${(env as { relativePath: string }).relativePath}`
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          if (token.type === 'code_inline') token.attrSet('v-pre', '') // `{{ now }}` is no expression of Vue
          const href = token.type === 'link_open' ? token.attrGet('href') : null
          const target = href && siteLink(page, href)
          if (target) token.attrSet('href', target)
        }
      })
    },
  },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'mock-api-play' } } },
  vite: { plugins: [searchRoles], worker: { format: 'es', plugins: () => [withoutNode] } },
  buildEnd: writeLlmsFiles,
})
