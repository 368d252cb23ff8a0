import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { builds, builtFiles, type BuildOptions } from './module-builds.ts'
import { createProjectInPackage } from './test-project.ts'
import { inThisRun } from './this-run.ts'

const fixtures = {
  'fixtures/orders.ts': `import { defineFixture } from 'unplugin-mock-api/fixture'
import { greeting } from './greeting'

export default defineFixture([
  { path: '/orders/:id', response: ({ params }) => ({ body: { id: params.id, greeting } }) },
])
`,
  'fixtures/greeting.ts': "export const greeting: string = 'hello'\n",
  'fixtures/more.yaml': `
- path: /state
  response: [{ body: 1 }, { body: 2 }]
- path: /list
  paginate: { perPage: 1, items: [{ id: 1 }, { id: 2 }] }
- path: /state
  scenario: down
  response: { status: 503 }
- path: /tickets
  collection: { items: [{ id: 1 }] }
- path: /small
  response: { file: small.svg }
- path: /large
  response: { file: large.bin, headers: { x-own: '1' } }
- method: POST
  path: /graphql
  response: { body: { data: { hero: { name: R2 } } } }
`,
  'fixtures/small.svg': '<svg/>',
  'fixtures/large.bin': 'ab'.repeat(10_000),
}
const both = "import { routes, handler } from 'virtual:mock-api'\nexport { routes, handler }\n"

async function build(name: string, files: Record<string, string>, options?: BuildOptions) {
  const project = createProjectInPackage({ ...fixtures, ...files })
  onTestFinished(project.close)
  await builds[name]!(project.root, options)
  return project
}

/** The text of every file of a build by its name. */
function contentsOf(root: string): Record<string, string> {
  return Object.fromEntries(
    builtFiles(root).map((file) => [file, readFileSync(join(root, 'dist', file), 'latin1')]),
  )
}

/** Runs the built module as Node does, with files in place of a server, and returns status and text of each answer. */
async function ask(root: string, requests: [path: string, init?: RequestInit][]) {
  const script = `
    import { existsSync } from 'node:fs'
    import { readFile } from 'node:fs/promises'
    import { join } from 'node:path'
    import { pathToFileURL } from 'node:url'
    const root = ${JSON.stringify(join(root, 'dist'))}
    globalThis.document = { baseURI: 'http://localhost/', createElement: () => ({}), getElementsByTagName: () => [] }
    globalThis.fetch = async (url) => {
      const { pathname } = new URL(url, document.baseURI)
      return new Response(await readFile(existsSync(pathname) ? pathname : join(root, pathname)))
    }
    const { routes, handler } = await import(pathToFileURL(join(root, 'main.mjs')).href)
    const answers = []
    for (const [path, init] of ${JSON.stringify(requests)}) {
      const response = await handler(new Request('http://localhost' + path, init))
      answers.push([response.status, await response.text(), response.headers.get('content-type')])
    }
    console.log(JSON.stringify({ paths: routes.map(({ path }) => path), answers }))
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return JSON.parse(stdout) as { paths: string[]; answers: [number, string, string][] }
}

const names = Object.keys(builds)

describe.each(inThisRun({ quick: names.slice(0, 1), slow: names }))(
  'virtual:mock-api built with %s',
  (name) => {
    it.each([false, true])('answers (for Node: %s)', async (node) => {
      const options = { base: '/api', scenario: 'down', graphql: { shape: true } }
      const { root } = await build(name, { 'main.ts': both }, { node, options })
      const down = { headers: { 'x-mock-scenario': '' } }
      const { paths, answers } = await ask(root, [
        ['/api/orders/7'],
        ['/api/state'],
        ['/api/state', down],
        ['/api/state', down],
        ['/api/list?page=2'],
        ['/api/tickets', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }],
        ['/api/tickets'],
        ['/api/small'],
        ['/api/large'],
        ['/api/graphql', { method: 'POST', body: '{"query":"{ hero { its: name } }"}' }],
      ])
      const json = 'application/json; charset=utf-8'
      expect(answers).toEqual([
        [200, '{"id":"7","greeting":"hello"}', json],
        [503, '', null],
        [200, '1', json],
        [200, '2', json],
        [200, expect.stringContaining('"data":[{"id":2}]'), json],
        [201, '{"id":2}', json],
        [200, '[{"id":1},{"id":2}]', json],
        [200, '<svg/>', 'image/svg+xml; charset=utf-8'],
        [200, fixtures['fixtures/large.bin'], 'application/octet-stream'],
        [200, '{"data":{"hero":{"its":"R2"}}}', json],
      ])
      expect(paths).toContain('/orders/:id')
      const holdsLarge = ([file, text]: [string, string]) => text.includes('abab') && file !== 'main.mjs'
      expect(Object.entries(contentsOf(root)).some(holdsLarge)).toBe(!node)
    })

    it('is left out if it is not imported', async () => {
      const project = await build(name, { 'main.ts': 'export const answer = 42\n' }, { plugin: false })
      const before = contentsOf(project.root)
      project.remove('dist')
      await builds[name]!(project.root)
      expect(contentsOf(project.root)).toEqual(before)
    })

    it('has no handler if only the routes are imported', async () => {
      const main = { 'main.ts': "export { routes } from 'virtual:mock-api'\n" }
      const { root } = await build(name, main, { minify: true })
      const { 'main.mjs': text, ...others } = contentsOf(root)
      expect(text).toContain('/orders/:id')
      expect(text!.length).toBeLessThan(8_000)
      expect(Object.keys(others)).toEqual([expect.stringMatching(/\.bin$/)])
    })

    it('names the way to a module of Node', async () => {
      const files = {
        'main.ts': both,
        'fixtures/greeting.ts': "import { hostname } from 'node:os'\nexport const greeting = hostname()\n",
      }
      await expect(build(name, files)).rejects.toThrow('fixtures/orders.ts → ./greeting → node:os')
      await build(name, files, { node: true })
    })
  },
)
