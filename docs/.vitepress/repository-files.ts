import { readdirSync, readFileSync } from 'node:fs'
import { extname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Relative links of Markdown: `[text](../README.md#anchor)`. Images too. */
const link = /\]\((?!\w+:|#|\/)(?<path>[^)\s#]+)(?<anchor>#[^)\s]*)?\)/g

/** A file outside docs/ that a page links to. It is a page of the site, so that the link works there too. */
export interface RepositoryFile {
  /** Relative to the root of the repository. */
  file: string
  /** The last part of its path on the site. */
  name: string
  content: string
}

/** The files outside docs/ that pages link to, and those that these link to. */
export function repositoryFiles(): RepositoryFile[] {
  const pages = readdirSync(`${root}/docs`, { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md') && !/\/\.vitepress\/|\[/.test(name))
  const found = new Set<string>()
  const open = [...pages]
  for (let page = open.pop(); page !== undefined; page = open.pop()) {
    for (const file of linksOf(page)) {
      if (file.startsWith('docs/') || found.has(file) || !/\.\w+$/.test(file)) continue
      found.add(file)
      if (file.endsWith('.md')) open.push(file)
    }
  }
  return [...found].sort().map((file) => ({ file, name: nameOf(file), content: contentOf(file) }))
}

/** Where a link leads on the site, if it is to a file outside docs/. */
export function siteLink(page: string, href: string): string | undefined {
  const [, path, anchor = ''] = /^([^#?]*)(#.*)?$/.exec(href) ?? []
  if (!path || /^\w+:|^\//.test(path)) return undefined
  const target = posix.join(posix.dirname(page), path)
  if (target.startsWith('docs/')) return undefined
  return `/repository/${nameOf(target)}.md${anchor}`
}

const nameOf = (file: string) =>
  file.endsWith('.md')
    ? file.slice(0, -'.md'.length).replaceAll('/', '-').toLowerCase()
    : file.replaceAll(/[/.]/g, '-')

const isImage = (file: string) => /\.(?:png|svg|jpe?g|gif|webp)$/.test(file)

function linksOf(page: string): string[] {
  const text = readFileSync(`${root}/${page}`, 'utf8')
  return [...text.matchAll(link)]
    .map(({ groups }) => posix.join(posix.dirname(page), groups!['path']!))
    .filter((path) => !isImage(path))
}

function contentOf(file: string): string {
  const text = readFileSync(`${root}/${file}`, 'utf8')
  if (!file.endsWith('.md')) return `# \`${file}\`\n\n\`\`\`${extname(file).slice(1)}\n${text}\`\`\`\n`
  return text.replaceAll(link, (...parts) => {
    const { path, anchor = '' } = parts.at(-1) as { path: string; anchor?: string }
    const target = posix.join(posix.dirname(file), path)
    if (isImage(target)) return `](../../${target})`
    return `](${siteLink(file, path) ?? `/${target.slice('docs/'.length)}`}${anchor})`
  })
}
