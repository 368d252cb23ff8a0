import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { decideAbout } from './send.ts'
import { defaultGraphQL } from '../../src/core/graphql/settings.ts'
import { bodyAsText } from '../../src/core/response/prepare-response.ts'
import { testContract } from '../contract.ts'
import { parseFixture } from '../../src/core/fixture/parse-fixture.ts'
import { compileRoutes } from '../../src/core/table/compile-routes.ts'

const parsed = ['graphql', 'items'].map((name) => {
  const file = new URL(`../../fixtures/${name}.yaml`, import.meta.url)
  return parseFixture(parse(readFileSync(file, 'utf8')), {
    file: `${name}.yaml`,
    locate: () => ({}),
  })
})
const { table, diagnostics } = compileRoutes(
  parsed.flatMap(({ routes }) => routes),
  { graphql: defaultGraphQL },
)

describe('the contract, in the core alone', () => {
  it('compiles the templates without a diagnostic', () => {
    expect([...parsed.flatMap(({ diagnostics }) => diagnostics), ...diagnostics]).toEqual([])
    expect(table.routeCount).toBe(5)
  })

  testContract(async ({ method = 'GET', url, headers = {}, body }) => {
    const decision = await decideAbout(table, `${method} ${url}`, { headers, body })
    const { status, headers: list, body: answer } = decision!.response!
    const names = list.filter((_, index) => index % 2 === 0)
    return {
      status,
      headers: Object.fromEntries(names.map((name, index) => [name, list[index * 2 + 1]!])),
      text: method === 'HEAD' ? '' : bodyAsText(answer),
    }
  })
})
