import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SiteConfig } from 'vitepress'
import { sidebar } from './sidebar.ts'

const docs = fileURLToPath(new URL('..', import.meta.url))

/**
 * Writes what language models read: `llms.txt` lists the pages, each with its first sentence (llmstxt.org), and
 * `llms-full.txt` has all of their text. The pages are those of the sidebar, in its order.
 */
export function writeLlmsFiles({ outDir, site }: Pick<SiteConfig, 'outDir' | 'site'>): void {
  const head = `# ${site.title}\n\n> ${site.description}\n`
  const list = [head]
  const full = [head]
  for (const { text, items } of sidebar) {
    list.push(`## ${text}\n`)
    for (const [title, page] of items) {
      const content = readFileSync(`${docs}/${page}.md`, 'utf8').trim()
      list.push(`- [${title}](${site.base}${page}.html): ${firstSentence(content)}`)
      full.push(`\n---\n\n<!-- ${site.base}${page}.html -->\n\n${content}\n`)
    }
    list.push('')
  }
  writeFileSync(`${outDir}/llms.txt`, list.join('\n'))
  writeFileSync(`${outDir}/llms-full.txt`, full.join(''))
}

/** Of the first paragraph, without links. */
function firstSentence(content: string): string {
  const paragraphs = content.replaceAll(/^(---|```)[^]*?^\1$/gm, '').split(/\n{2,}/)
  const text = paragraphs.find((paragraph) => /^[\w`*[]/.test(paragraph)) ?? ''
  const plain = text.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return (/^.*?[.!?](?= |$)/.exec(plain)?.[0] ?? plain).replace(/:$/, '.')
}
