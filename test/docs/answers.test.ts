/*
 * The requests in the documentation and their answers. For each page, a server answers from the fixture files of the page, and
 * every `sh` block with curl is sent to it. The next block shows the answer: `json` the body, `http` status, headers and body.
 * A `txt` block that begins with `[mock-api]` is in the log by then.
 */
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMiddleware, type MiddlewareOptions, type MockMiddleware } from '../../src/connect.ts'
import { closeServer, listen } from '../hosts/serve.ts'
import { createTestProject, type TestProject } from '../hosts/test-project.ts'
import { exchange } from '../http.ts'
import { answersTo, isRequest } from './answers.ts'
import { parseCurl } from './curl.ts'
import { blocksOf, pages as allPages } from './pages.ts'

/** Pages whose examples need options, or files that a page does not show. */
const setups: Record<string, { options?: MiddlewareOptions; files?: Record<string, string> }> = {
  'fixture-files.md': { files: { 'fixtures/invoice.txt': 'Invoice 7\n' } },
  'getting-started.md': { options: { fixtures: ['templates', 'fixtures'] } },
}
/** Pages with a test of their own, since the answers are those of the control API or of another server. */
const others = ['docs/control-api.md']

const pages = allPages
  .filter((page) => page.startsWith('docs/') && !others.includes(page))
  .map((page) => ({ name: page.slice('docs/'.length), blocks: blocksOf(page) }))
  .map((page) => ({ ...page, requests: page.blocks.filter(isRequest) }))
  .filter(({ requests }) => requests.length > 0)

/** Long lines of the log are wrapped in the pages. */
const inOneLine = (text: string) => text.trim().replace(/\s+/g, ' ')

/** An ellipsis stands for what is left out. */
function pattern(text: string): RegExp {
  const parts = inOneLine(text).split(/ ?… ?/)
  return new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*'))
}

it('most pages about fixtures show answers', () => expect(pages.length).toBeGreaterThan(0))

describe.each(pages)('docs/$name', ({ name, blocks, requests }) => {
  const { options, files } = setups[name] ?? {}
  const log: string[] = []
  let project: TestProject
  let middleware: MockMiddleware
  let server: Server
  let origin: string
  beforeAll(async () => {
    const shown = blocks.flatMap(({ file, text }) =>
      file && /^fixtures\/|\.graphql$/.test(file) ? [[file, text] as const] : [],
    )
    const installed = 'node_modules/unplugin-mock-api'
    project = createTestProject({
      [`${installed}/package.json`]: '{ "type": "module", "exports": { "./fixture": "./fixture.js" } }',
      [`${installed}/fixture.js`]: 'export const defineFixture = (fixture) => fixture',
      ...files,
      ...Object.fromEntries(shown),
    })
    const write = (text: string) => void log.push(text)
    const logger = { info: write, warn: write, error: write }
    middleware = createMiddleware({ root: project.root, logger, watch: false, ...options })
    await middleware.ready
    server = createServer(middleware)
    origin = await listen(server)
  })
  afterAll(async () => {
    await middleware.close()
    await closeServer(server)
    project.close()
  })

  it('the fixture files have no mistake', () => {
    expect(log).toEqual([expect.stringMatching(/^\[mock-api\] \d+ routes? from /)])
  })

  it.each(requests)('$text', async (request) => {
    const commands = request.text.trim().split(/\n(?=curl )/)
    const before = log.length
    let answer: Awaited<ReturnType<typeof exchange>>
    for (const command of commands) answer = await exchange(origin, parseCurl(command))
    const { response, bytes } = answer!
    const body = bytes.toString()

    for (const block of answersTo(blocks, request)) {
      if (block.language === 'json') expect(JSON.parse(body)).toEqual(JSON.parse(block.text))
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
      if (/^[[{]/.test(shown)) expect(JSON.parse(body)).toEqual(JSON.parse(shown))
      else expect(body.trim()).toBe(shown.trim())
    }
  })
})
