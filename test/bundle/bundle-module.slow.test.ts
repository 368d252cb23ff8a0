/* The same module through every bundler. Needs `npm run build`, since a bundle is made of the built package. */
import { projectWorld } from '../../src/loader/module/project-world.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { bundleModule } from '../../src/bundle/bundle-fixtures.ts'
import { findBundler, type Bundler } from '../../src/bundle/bundler.ts'
import { createTestProject } from '../hosts/test-project.ts'
import { fileURLToPath } from 'node:url'

const packageRoot = fileURLToPath(new URL('../..', import.meta.url))
const project = createTestProject({
  'orders.ts': `
    import { defineFixture } from 'unplugin-mock-api/fixture'
    import { first, type Order } from './order.js'
    const orders: Order[] = [first]
    export default defineFixture([{ path: '/orders', response: () => ({ body: orders }) },
      { url: 'https://api.stripe.example/v1/charges', response: { body: ['ch_1'] } }])`,
  'order.ts': 'export interface Order { id: number }\nexport const first: Order = { id: 7 }',
  'reads.ts':
    "import { readIt } from './read.ts'\nexport default [{ path: '/', response: { body: readIt() } }]",
  'read.ts': "import { readFileSync } from 'node:fs'\nexport const readIt = () => readFileSync('a', 'utf8')",
  'unknown.ts': "import { a } from './nowhere.ts'\nexport default [a]",
})
afterAll(() => project.close())

/** Vite's API differs a little between its versions, and the tests have them under names of their own. */
async function loadBundlers(): Promise<Bundler[]> {
  const vite = async (name: string, version: string) =>
    ({ kind: 'vite', name: `Vite ${version}`, vite: (await import(name)) as unknown }) as Bundler
  const { default: webpack } = await import('webpack')
  const { rspack } = await import('@rspack/core')
  return [
    await findBundler(packageRoot),
    await vite('vite-7', '7'),
    await vite('vite-6', '6'),
    await vite('vite-5', '5'),
    { kind: 'webpack', name: 'webpack', webpack },
    { kind: 'rspack', name: 'Rspack', webpack: rspack as never },
  ]
}

const bundlers = await loadBundlers()
const handlerOf = (fixture: string) => `
  import { createFetchHandler } from 'unplugin-mock-api/fetch'
  import routes from ${JSON.stringify(`${project.root}/${fixture}`)}
  const handler = createFetchHandler(routes, { logLevel: 'silent' })`

it('the bundler is found in the project', async () => {
  expect((await findBundler(packageRoot)).name).toMatch(/^Vite 8\./)
})

describe.each(bundlers)('$name', (bundler) => {
  it('makes an ES module with its exports', async () => {
    const source = `${handlerOf('orders.ts')}\nexport default { fetch: handler }`
    const { code } = await bundleModule({
      root: project.root,
      world: projectWorld(project.root),
      source,
      format: 'module',
      bundler,
    })
    const url = `data:text/javascript,${encodeURIComponent(code)}`
    const { default: worker } = (await import(/* @vite-ignore */ url)) as {
      default: { fetch: (request: Request) => Promise<Response> }
    }
    const response = await worker.fetch(new Request('http://localhost/orders'))
    expect(await response.json()).toEqual([{ id: 7 }])
    const elsewhere = await worker.fetch(new Request('https://api.stripe.example/v1/charges'))
    expect(await elsewhere.json()).toEqual(['ch_1'])
    expect(/["']node:\w+/.exec(code)?.[0]).toBeUndefined()
    expect(code.includes('GraphQLSchema')).toBe(false)
  })

  const script = (fixture: string) => {
    const source = `${handlerOf(fixture)}\nself.handler = handler`
    return bundleModule({
      root: project.root,
      world: projectWorld(project.root),
      source,
      format: 'script',
      minify: false,
      bundler,
    })
  }

  it('makes the same classic script again', async () => {
    const bundled = await script('orders.ts')
    expect(bundled.code).not.toMatch(/^(?:import|export)\b/m)
    expect(await script('orders.ts')).toEqual(bundled)
  })

  it.each([
    ['reads.ts', 'which this build does not have: reads.ts → read.ts → node:fs.'],
    ['unknown.ts', /nowhere\.ts.*\[bundle-failed\]/s],
  ])('says why %s can not be bundled', async (fixture, reason) => {
    await expect(script(fixture)).rejects.toThrow(reason)
  })
})
