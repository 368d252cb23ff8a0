/*
 * Links in README.md, docs/ and the other pages of the repository lead to files and headings that exist; the sidebar has every page.
 * Their source is read in editors, reviews and terminals, too: its lines are short, those of tables too.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { sidebar } from '../../docs/.vitepress/sidebar.ts'
import { slugify } from '../../docs/.vitepress/slug.ts'
import { allBlocks, packageRoot, pages, readPage } from './pages.ts'

const listed = sidebar.flatMap(({ items }) => items.map(([, page]) => `docs/${page}.md`))
const linking = [...pages, 'CONTRIBUTING.md', 'SECURITY.md']
const withoutCode = (text: string) =>
  text.replaceAll(/^ *```[^]*?^ *```$/gm, '').replaceAll(/<!--[^]*?-->/g, '')
const read = (page: string) => withoutCode(readFileSync(join(packageRoot, page), 'utf8'))

/** The anchors of a page: those of repeated headings are numbered. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading] of read(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
    const slug = slugify(text)
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

it.each(linking)('%s has no dead link', (page) => {
  const dead = [
    ...read(page)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, href]) => href!)
    .filter((href) => !/^\w+:/.test(href))
    .filter((href) => {
      const [path, anchor] = href.split('#')
      const target = path ? posix.join(posix.dirname(page), path) : page
      if (!existsSync(join(packageRoot, target))) return true
      return anchor !== undefined && !anchorsOf(target).has(anchor)
    })
  expect(dead).toEqual([])
})

it('every page is in the sidebar, once', () => {
  expect(listed.filter((page, index) => listed.indexOf(page) !== index || !pages.includes(page))).toEqual([])
  const isListed = (page: string) =>
    listed.includes(page) || !page.startsWith('docs/') || page === 'docs/index.md'
  expect(pages.filter((page) => !isListed(page))).toEqual([])
})

const limit = 120

/** What a program prints, or sends, is shown as it is. */
const verbatim = ['text', 'txt', 'json', 'http', 'diff']

it.each(linking)('%s has short lines', (page) => {
  const outputs = new Set(
    allBlocks
      .filter((block) => block.page === page && verbatim.includes(block.language))
      .flatMap(({ line, text }) => text.split('\n').map((_, index) => line + 1 + index)),
  )
  const long = readPage(page)
    .split('\n')
    .flatMap((text, index) =>
      text.length > limit && !outputs.has(index + 1) ? [{ text, line: index + 1 }] : [],
    )
    .filter(({ text }) => !/^\s*\S*https?:\S+$/.test(text))
  expect(long.map(({ line }) => `${page}:${line}`)).toEqual([])
})
