import { expect, it } from 'vitest'
import { resolveOptions } from '../../../src/core/options/resolve-options.ts'
import { checkAgainst, type AgainstOptions } from '../../../src/cli/check/check-against.ts'
import { createLocate } from '../../../src/cli/check/locate.ts'
import { readFixtures } from '../../../src/cli/places.ts'
import { projectOfTest } from '../../hosts/of-test.ts'
import { createShop, serveShop, shopFixtures, type Shop, type ShopAnswer } from './shop.ts'

async function compare(shop: Shop, files = shopFixtures, given: Partial<AgainstOptions> = {}) {
  const { origin, asked } = await serveShop(shop)
  const { root } = projectOfTest(files)
  const logger = { info() {}, warn() {}, error() {} }
  const options = resolveOptions({ watch: false }, { root, logger })
  const { routes } = await readFixtures(options)
  const terminal = {
    ...{ cwd: root, isInteractive: false, print() {}, note() {} },
    ...{ style: (_: unknown, text: string) => text, confirm: () => Promise.resolve(false) },
  }
  const against = { against: origin, ...given }
  const pace = { atOnce: 8, perSecond: 1e6 }
  const { findings, summary } = await checkAgainst(
    terminal,
    routes,
    options,
    against,
    createLocate(root),
    pace,
  )
  const shown = findings.map(
    ({ severity, file, line, code, message, sent }) =>
      `${severity} ${file}:${line} ${code} ${message} (${sent})`,
  )
  return { found: shown.sort(), summary: summary.join('; ').replaceAll(origin, 'ORIGIN'), asked }
}

type Changed = (shop: Shop) => void
type Data = any // eslint-disable-line @typescript-eslint/no-explicit-any -- rows change what they know

/** Changes the body of an answer, or the whole answer. */
function change(route: string, changeBody: (body: Data, answer: ShopAnswer) => unknown): Changed {
  return (shop) => {
    const make = shop.routes[route]!
    shop.routes[route] = (asked) => {
      const answer = make(asked)
      const body = changeBody(answer.body, answer)
      return { ...answer, body: body === undefined ? answer.body : body }
    }
  }
}

const all =
  (...changes: Changed[]): Changed =>
  (shop) =>
    changes.forEach((one) => one(shop))
const users = (edit: (user: Data) => void): Changed =>
  all(
    change('GET /users', (body: Data[]) => void body.forEach(edit)),
    change('GET /users/:id', (body) => void (body.error ? 0 : edit(body))),
  )

it('a backend that fits has no finding', async () => {
  expect(await compare(createShop())).toMatchObject({ found: [], summary: expect.any(String) as string })
})
