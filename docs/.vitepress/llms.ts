import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SiteConfig } from 'vitepress'
import { sidebar } from './sidebar.ts'

const docs = fileURLToPath(new URL('..', import.meta.url))

/**
 * Writes what language models read: `llms.txt` lists the pages, and `llms-full.txt` has all of their text. The pages are
 * those of the sidebar, in its order.
 */
export function writeLlmsFiles({ outDir, site }: Pick<SiteConfig, 'outDir' | 'site'>): void {
  const head = headOf(site.title, site.description)
  const full = sidebar.flatMap(({ items }) =>
    items.map(([, page]) => `\n---\n\n<!-- ${site.base}${page}.html -->\n\n${contentOf(page)}\n`),
  )
  writeFileSync(`${outDir}/llms.txt`, head + listPages((page) => `${site.base}${page}.html`))
  writeFileSync(`${outDir}/llms-full.txt`, [head, ...full].join(''))
}

export function headOf(title: string, description: string): string {
  return `# ${title}\n\n> ${description}\n\n`
}

/** Each page with its first sentence (llmstxt.org). */
export function listPages(addressOf: (page: string) => string): string {
  const sections = sidebar.map(({ text, items }) => {
    const lines = items.map(
      ([title, page]) => `- [${title}](${addressOf(page)}): ${firstSentence(contentOf(page))}\n`,
    )
    return `## ${text}\n\n${lines.join('')}`
  })
  return sections.join('\n')
}

function contentOf(page: string): string {
  return readFileSync(`${docs}/${page}.md`, 'utf8').trim()
}

/** Of the first paragraph, without links. */
function firstSentence(content: string): string {
  const paragraphs = content.replaceAll(/^(---|```)[^]*?^\1$/gm, '').split(/\n{2,}/)
  const text = paragraphs.find((paragraph) => /^[\w`*[]/.test(paragraph)) ?? ''
  const plain = text.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return (/^.*?[.!?](?= |$)/.exec(plain)?.[0] ?? plain).replace(/:$/, '.')
}
