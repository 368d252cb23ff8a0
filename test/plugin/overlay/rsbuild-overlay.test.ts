/* The messages that pages get. When, is tested in server-overlay.test.ts; how it looks, in test/e2e/overlay.test.ts. */
import { beforeEach, expect, it } from 'vitest'
import { createOverlay } from '../../../src/plugin/overlay/rsbuild-overlay.ts'
import { fakeMockServer } from '../../hosts/fake-mock-server.ts'

type Message = [type: string, data?: { text: string[]; html: string }]

/** The messages that a page, or every page, has got. */
function fakePage() {
  const told: Message[] = []
  return { send: (...message: Message) => void told.push(message), told: () => told.splice(0) }
}
type Page = ReturnType<typeof fakePage>

let pages: Page
let fixtures: ReturnType<typeof fakeMockServer>
let connect: (page: Page) => void
let beginBuild: () => void
let endBuild: (build: { stats: { hasErrors: () => boolean } }) => void

/** Starts a dev server of Rsbuild 2.2, or of an older one. */
function start(isOlder = false): void {
  const onConnect = (listener: typeof connect) => (connect = listener)
  const hot = { send: pages.send, ...(!isOlder && { onConnect }) }
  const show = createOverlay({
    onBeforeDevCompile: (listener: typeof beginBuild) => (beginBuild = listener),
    onAfterDevCompile: (listener: typeof endBuild) => (endBuild = listener),
  } as never)
  show({ environments: { web: { hot } } } as never, fixtures.mockServer)
}

beforeEach(() => {
  pages = fakePage()
  fixtures = fakeMockServer()
  start()
})

const built = { stats: { hasErrors: () => false } }
const errors = (reason: string): unknown => {
  const text: unknown = expect.stringContaining(`[mock-api] a.yaml:1:1 Syntax error: ${reason}.\n`)
  const link = 'data-file="/project/a.yaml:1:1">a.yaml:1:1</a>'
  const html: unknown = expect.stringContaining(`${link} Syntax error: ${reason}.\n`)
  return ['errors', { text: [text], html }]
}
const fixed = [['errors', { text: [], html: '' }], ['ok']]

it('sends errors after each build, and when they change', () => {
  endBuild(built)
  expect(pages.told()).toEqual([])
  fixtures.reload('x')
  expect(pages.told()).toEqual([errors('x')])
  fixtures.reload('x')
  expect(pages.told()).toEqual([])
  for (let times = 0; times < 2; times++) {
    beginBuild()
    endBuild(built)
    expect(pages.told()).toEqual([errors('x')])
  }
  fixtures.reload('y')
  expect(pages.told()).toEqual([errors('y')])
  fixtures.reload()
  expect(pages.told()).toEqual(fixed)
  endBuild(built)
  expect(pages.told()).toEqual([])
})

it("keeps type errors that were added to a build's stats late", () => {
  let isFailed = false
  endBuild({ stats: { hasErrors: () => isFailed } })
  fixtures.reload('x')
  pages.told()
  isFailed = true
  fixtures.reload()
  expect(pages.told()).toEqual([])
})

it('sends errors to a page that is opened, unless a build will', () => {
  const [before, between, during] = [fakePage(), fakePage(), fakePage()]
  endBuild(built)
  connect(before)
  expect(before.told()).toEqual([])
  fixtures.reload('x')
  pages.told()
  connect(between)
  expect(between.told()).toEqual([errors('x')])
  expect(pages.told()).toEqual([])
  beginBuild()
  connect(during)
  expect(during.told()).toEqual([])
})

it('escapes the HTML of a fixture file', () => {
  endBuild(built)
  fixtures.reload('<img src="x">&')
  expect(pages.told()[0]![1]!.html).toContain('&lt;img src=&quot;x&quot;&gt;&amp;.\n')
})

it('sends nothing on an Rsbuild that does not report opened pages', () => {
  start(true)
  endBuild(built)
  fixtures.reload('x')
  expect(pages.told()).toEqual([])
})
