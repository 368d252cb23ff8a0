/*
 * The requests in the documentation and their answers. For each page, a server answers from its fixture files (for a section
 * whose config has options, a server of its own), and gets every `sh` block with curl. The next block shows the answer:
 * `json` the body, `http` status, headers and body. A `txt` block that begins with `[mock-api]` is in the log by then.
 */
import { basename } from 'node:path'
import { runInThisContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MiddlewareOptions } from '../../src/connect.ts'
import { exchange } from '../http.ts'
import { parseCurl } from './curl.ts'
import { answersTo, blocksOf, isRequest, pages, readPage, type Block } from './pages.ts'
import type { Served } from '../hosts/of-test.ts'
import { serveExample } from './serve-example.ts'

/** Options that a page does not show. */
const optionsOf: Record<string, MiddlewareOptions> = {
  'docs/getting-started.md': { fixtures: ['templates', 'fixtures'] },
}
/** Files that fixtures name, and no page shows. */
const files = {
  'fixtures/invoice.txt': 'Invoice 7\n',
  'fixtures/invoices/7.json': '{ "id": 7, "total": 12 }',
  'fixtures/people.json': '[{"id":1},{"id":2},{"id":3}]',
}

/** What one server answers: a page, or a section of it whose config has options. */
interface Example {
  name: string
  options: MiddlewareOptions
  blocks: Block[]
  requests: Block[]
}

const examples = pages.flatMap(examplesOf).filter(({ requests }) => requests.length > 0)

function examplesOf(page: string): Example[] {
  const toExample = (text: string, name: string, options: MiddlewareOptions): Example => {
    const blocks = blocksOf(page, text)
    return { name, options, blocks, requests: blocks.filter(isRequest) }
  }
  const sections = readPage(page).split(/^(?=## )/m)
  const configured = sections.filter((section) => configIn(blocksOf(page, section)))
  const rest = sections.filter((section) => !configured.includes(section)).join('')
  return [
    toExample(rest, page, optionsOf[page] ?? {}),
    ...configured.map((section) =>
      toExample(section, `${page} ${section.split('\n')[0]}`, configIn(blocksOf(page, section))!),
    ),
  ]
}

/** The options in the `vite.config.ts` of a section that shows answers. */
function configIn(blocks: Block[]): MiddlewareOptions | undefined {
  const config = blocks.some(isRequest) && blocks.find(({ file }) => file === 'vite.config.ts')
  const [, options] = (config && /mockApi\((\{[^]*?\})\)/.exec(config.text)) || []
  return options === undefined ? undefined : (runInThisContext(`(${options})`) as MiddlewareOptions)
}

/** Long lines of the log are wrapped in the pages. */
const inOneLine = (text: string) => text.trim().replace(/\s+/g, ' ')

/** An ellipsis stands for what is left out. */
function pattern(text: string): RegExp {
  const parts = inOneLine(text).split(/ ?… ?/)
  return new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*'))
}

/** Reads a body that a page shows, in which an ellipsis stands for the rest of a text. */
function parse(text: string): unknown {
  return JSON.parse(text, (_, value: unknown): unknown =>
    typeof value === 'string' && value.includes('…') ? expect.stringMatching(pattern(value)) : value,
  )
}

it('most pages about fixtures show answers', () => expect(examples.length).toBeGreaterThan(3))

describe.each(examples)('$name', ({ options, blocks, requests }) => {
  let example: Served
  beforeAll(async () => {
    const shown = blocks.flatMap(({ file, text }) =>
      file && /^fixtures\/|\.graphql$/.test(file) ? [[file, text] as const] : [],
    )
    const named = Object.entries(files).filter(([name]) =>
      shown.some(([, text]) => text.includes(basename(name))),
    )
    example = await serveExample({ ...Object.fromEntries(named), ...Object.fromEntries(shown) }, options)
  })
  afterAll(() => example.close())

  it('the fixture files have no mistake', () => {
    expect(example.log).toEqual([expect.stringMatching(/^\[mock-api\] \d+ routes? from /)])
  })

  it.each(requests)('$text', async (request) => {
    const commands = request.text.trim().split(/\n(?=curl )/)
    const { origin, log } = example
    const before = log.length
    let answer: Awaited<ReturnType<typeof exchange>>
    for (const command of commands) answer = await exchange(origin, parseCurl(command))
    const { response, bytes } = answer!
    const body = bytes
      .toString()
      .replaceAll(origin, 'http://localhost:5173')
      .replace(/(?<=#\/requests\/)\d+/, '1')

    for (const block of answersTo(blocks, request)) {
      if (block.language === 'json') expect(JSON.parse(body)).toEqual(parse(block.text))
      else if (block.language === 'http') expectAnswer(block.text)
      else expect(inOneLine(log.slice(before).join('\n'))).toMatch(pattern(block.text))
    }

    function expectAnswer(text: string): void {
      const [, status, headers, shown] = /^HTTP\/1.1 (\d+)[^\n]*\n([^]*?)(?:\n\n([^]*)|\n)$/.exec(text)!
      expect(response.statusCode).toBe(Number(status))
      for (const line of headers!.split('\n').filter(Boolean)) {
        const [name, ...value] = line.split(': ')
        expect(`${name}: ${[response.headers[name!.toLowerCase()]].flat().join(', ')}`).toBe(
          `${name}: ${value.join(': ')}`,
        )
      }
      if (shown === undefined) return
      if (/^[[{]/.test(shown)) expect(JSON.parse(body)).toEqual(parse(shown))
      else expect(body.trim()).toBe(shown.trim())
    }
  })
})
