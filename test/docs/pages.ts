import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

/** A fenced code block of a page. */
export interface Block {
  /** Relative to the root of the package: `docs/cli.md`. */
  page: string
  /** Line of the opening fence, from 1. */
  line: number
  language: string
  text: string
  /** The file that the label (`[vite.config.ts]`) or the first line (`// vite.config.ts`) names. */
  file: string | undefined
  /** The instructions in the HTML comment before it: `<!-- wrong: fixture-unknown-key -->`. */
  markers: ReadonlyMap<string, string>
}

/** All pages whose examples are checked, relative to the root of the package. */
export const pages: string[] = [
  'README.md',
  'skills/unplugin-mock-api/SKILL.md',
  ...readdirSync(`${packageRoot}/docs`, { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md') && !/\.vitepress\/|\[/.test(name))
    .sort(),
]

export function readPage(page: string): string {
  return readFileSync(`${packageRoot}/${page}`, 'utf8').replaceAll('\r\n', '\n')
}

/** The part of a page below a heading, up to the next one of the same level: `'## Demo builds'`. */
export function sectionOf(page: string, heading: string): string {
  const section = readPage(page)
    .split(/^(?=## )/m)
    .find((text) => text.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`${page} has no heading "${heading}".`)
  return section
}

const fence = /^(?<indent> *)(?<ticks>`{3,}|~{3,}) *(?<language>[\w-]*) *(?<info>.*)$/
const comment = /^<!-- (?<name>continues|wrong|unchecked)(?:: (?<value>.*))? -->$/

/** The code blocks of a page, in its order. */
export function blocksOf(page: string, text = readPage(page)): Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  let markers = new Map<string, string>()
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    const marker = comment.exec(line.trim())?.groups
    if (marker) markers.set(marker['name']!, marker['value'] ?? '')
    const { indent, ticks, language, info } = fence.exec(line)?.groups ?? {}
    if (ticks === undefined) {
      if (!marker && line.trim()) markers = new Map()
      continue
    }
    const start = index
    const content: string[] = []
    while (++index < lines.length && lines[index]!.trim() !== ticks)
      content.push(lines[index]!.slice(indent!.length))
    const body = content.map((each) => `${each}\n`).join('')
    blocks.push({
      page,
      line: start + 1,
      language: language!,
      text: body,
      file: fileIn(info!, content[0] ?? ''),
      markers,
    })
    markers = new Map()
  }
  return blocks
}

/** The examples of a page that name a file, by that name. Of one file the first: others show what else it may say. */
export function filesOf(page: string): Record<string, string> {
  const files: Record<string, string> = {}
  for (const { file, text } of blocksOf(page)) if (file) files[file] ??= text
  return files
}

function fileIn(info: string, firstLine: string): string | undefined {
  const label = /\[(.*)\]/.exec(info)?.[1]
  const named = label && /(?:^|[\s(])([\w./[\]-]+\.\w+)\)?$/.exec(label)?.[1]
  return named || /^(?:#|\/\/|<!--) ([\w./[\]-]+\.\w+)(?: -->)?$/.exec(firstLine)?.[1]
}

export const placeOf = ({ page, line }: Block): string => `${page}:${line}`

export const allBlocks: Block[] = pages.flatMap((page) => blocksOf(page))

/** Type-checked by `types.slow.test.ts`. Of .vue and .svelte files, the scripts are; of .astro files, the frontmatter. */
export const typed = ['ts', 'mts', 'cts', 'tsx', 'js', 'mjs', 'cjs', 'jsx', 'vue', 'svelte', 'astro']

/** Parsed by `code-blocks.test.ts`; fixture files are loaded. */
export const data = ['yaml', 'yml', 'json', 'jsonc', 'json5']

/** Commands that `code-blocks.test.ts` knows (`commands.ts`). */
export const shell = ['sh', 'bash']

/** Requests with curl, which `answers.test.ts` sends. */
export function isRequest({ page, language, text }: Block): boolean {
  return isAsked(page) && language === 'sh' && /^curl .*localhost:5173\/(?!__mock-api)/m.test(text)
}

/** Whether `answers.test.ts` sends the requests of a page. The others have tests of their own (`runs.ts`). */
function isAsked(page: string): boolean {
  return page.startsWith('docs/') && !['docs/control-api.md', 'docs/explore.md'].includes(page)
}

/** The blocks after a request that show what comes of it: the answer, and then what the terminal says. */
export function answersTo(blocks: readonly Block[], request: Block): Block[] {
  const [first, second] = blocks.slice(blocks.indexOf(request) + 1)
  const isAnswer = first && ['json', 'http'].includes(first.language)
  const log = isAnswer ? second : first
  return [isAnswer && first, log && isLog(log) && log].filter((block) => !!block)
}

const isLog = ({ language, text }: Block) => language === 'txt' && text.startsWith('[mock-api]')
