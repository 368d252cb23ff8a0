/* Which pages get which messages, and when. How the overlay looks is tested in test/e2e/overlay.test.ts. */
import { beforeEach, expect, it } from 'vitest'
import webpack, { type Compiler, type Stats } from 'webpack'
import { showInOverlay } from '../../../src/hosts/overlay/stats-overlay.ts'
import { fakeMockServer } from '../fake-mock-server.ts'

/** What the page shows for an error with a letter as its reason. */
const pageText = (reason: string): unknown => expect.stringContaining(`[mock-api] Syntax error: ${reason}\n`)

/** The stats of a build with one warning of its own. */
function fakeStats(): Stats {
  return { toJson: () => ({ hash: 'h', warnings: [{ message: 'own' }] }) } as unknown as Stats
}
const messages = (stats: Pick<Stats, 'toJson'>) => stats.toJson().warnings!.map(({ message }) => message)

let compiler: Compiler
/** What the dev server tells its pages, in order. */
let told: unknown[]
let fixtures: ReturnType<typeof fakeMockServer>
beforeEach(() => {
  compiler = webpack({})
  told = []
  fixtures = fakeMockServer()
  compiler.hooks.invalid.tap('some-dev-server', () => void told.push('a build begins'))
  compiler.hooks.done.tap('some-dev-server', (stats) => void told.push(messages(stats)))
})

const build = async (stats = fakeStats()) => {
  compiler.hooks.invalid.call(null, 0)
  await compiler.hooks.done.promise(stats)
}
const toldSince = () => told.splice(0)

it('adds the errors to what is told of each build', async () => {
  showInOverlay(compiler, [fixtures.mockServer])
  await build()
  expect(toldSince()).toEqual(['a build begins', ['own']])
  fixtures.reload('x', 'y')
  toldSince()
  await build()
  expect(toldSince()).toEqual(['a build begins', ['own', pageText('x'), pageText('y')]])
})

it('tells of the last build anew when the errors change, and only then', async () => {
  showInOverlay(compiler, [fixtures.mockServer])
  await build()
  toldSince()
  for (const reasons of [['x'], ['x', 'y'], []]) {
    fixtures.reload(...reasons)
    expect(toldSince()).toEqual(['a build begins', ['own', ...reasons.map(pageText)]])
    fixtures.reload(...reasons)
    expect(toldSince()).toEqual([])
  }
})

const beginnings: [hook: string, begin: () => unknown][] = [
  ['invalid', () => compiler.hooks.invalid.call(null, 0)],
  ['watchRun', () => compiler.hooks.watchRun.promise(compiler)],
]
it.each(beginnings)('leaves the telling to a build that has begun (%s)', async (_, begin) => {
  showInOverlay(compiler, [fixtures.mockServer])
  fixtures.reload('x')
  expect(toldSince()).toEqual([])
  await build()
  await begin()
  toldSince()
  fixtures.reload('y')
  expect(toldSince()).toEqual([])
  await compiler.hooks.done.promise(fakeStats())
  expect(toldSince()).toEqual([['own', pageText('y')]])
})

it('tells nothing more when the compiler is closed', async () => {
  showInOverlay(compiler, [fixtures.mockServer])
  await build()
  compiler.hooks.watchClose.call()
  toldSince()
  fixtures.reload('x')
  expect(toldSince()).toEqual([])
})

it('gives other plugins the stats as they are, and calls them and a middleware without pages once a build', async () => {
  const others: Stats[] = []
  const middleware: Stats[] = []
  compiler.hooks.done.tap('some-plugin', (stats) => void others.push(stats))
  compiler.hooks.done.tap('some-dev-middleware', (stats) => void middleware.push(stats))
  showInOverlay(compiler, [fixtures.mockServer])
  const stats = fakeStats()
  await build(stats)
  fixtures.reload('x')
  expect(others).toEqual([stats])
  expect(others[0]).toBe(stats)
  expect(middleware).toHaveLength(1)
})

it('shows those of the server that was started last, though it taps later', async () => {
  showInOverlay(compiler, [fixtures.mockServer])
  fixtures.reload('x')
  const next = fakeMockServer()
  showInOverlay(compiler, [next.mockServer])
  compiler.hooks.done.tap('next-dev-server', (stats) => void told.push(['next', ...messages(stats)]))
  next.reload('y')
  await build()
  expect(toldSince()).toEqual(['a build begins', ['own', pageText('y')], ['next', 'own', pageText('y')]])
})

it('adds them too when a type checker tells of the build late, through the tap that it keeps', () => {
  let kept: ((stats: Stats) => void) | undefined
  compiler.hooks.done.intercept({
    register(tap) {
      if (tap.name === 'some-dev-server') kept = (stats) => (tap.fn as (stats: Stats) => void)(stats)
      return tap
    },
  })
  showInOverlay(compiler, [fixtures.mockServer])
  fixtures.reload('x')
  kept!(fakeStats())
  expect(toldSince()).toEqual([['own', pageText('x')]])
})

it('tells pages that look at one of several compilers, and those that look at all', () => {
  const several = webpack([{ name: 'a' }, { name: 'b' }])
  several.hooks.done.tap('some-dev-server', (stats, changed) => {
    told.push(messages(stats), ...stats.stats.map(messages), changed.length)
  })
  showInOverlay(several, [fixtures.mockServer])
  const stats = { ...fakeStats(), stats: [fakeStats(), fakeStats()] }
  several.hooks.done.call(stats as never, several.compilers)
  expect(toldSince()).toEqual([['own'], ['own'], ['own'], 2])
  fixtures.reload('x')
  const expected = ['own', pageText('x')]
  expect(toldSince()).toEqual([expected, expected, expected, 2])
})
