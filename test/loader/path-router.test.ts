/* What matches paths that are not simple is loaded with the first of them. */
import { expect, it, vi } from 'vitest'
import { send } from '../core/send.ts'
import type { Options } from '../../src/core/options/options.ts'
import { findings, Project, type Files } from './project.ts'

/** The loader with modules of its own, as in a new process. */
async function newLoader() {
  vi.resetModules()
  const { lazyPathRouter } = await import('../../src/loader/path-router.ts')
  const { Project, expectEndpoints } = await import('./project.ts')
  const isLoaded = () => {
    try {
      return lazyPathRouter.nodeKeys('/a').length > 0
    } catch {
      return false
    }
  }
  return { Project, expectEndpoints, isLoaded }
}

it('is not loaded for simple paths', async () => {
  const { Project, isLoaded } = await newLoader()
  const projects: [title: string, files: Files, expected: number][] = [
    ['no file', {}, 2],
    ['simple paths', { 'fixtures/a.yaml': '- path: /a/:id/\n- path: /a\n- path: /b\n  scenario: x\n' }, 3],
    ['wildcards elsewhere', { 'fixtures/a.json': '[{ "path": "/a", "name": "/**", "response": { "body": ["/**"] } }]' }, 1],
    ['test data', { 'fixtures/a.json': '[{ "id": 1, "title": "/**" }]' }, 2],
    ['two names of one parameter', { 'fixtures/a.yaml': '- path: /a/:id\n- path: /a/:key\n' }, 1],
  ] // prettier-ignore
  for (const [title, files, expected] of projects) {
    const { current } = await new Project(files).load()
    expect(current!.table.endpoints.length, title).toBe(expected)
    expect(isLoaded(), title).toBe(false)
  }
})

const wildcard = "{ path: '/a/**', response: { status: 201 } }"
const schema = { 'a.graphql': 'type Query { a: Int }' }

it.each<[title: string, files: Files, options: Options, request: string, status: number]>([
  ['a wildcard', { 'fixtures/a.yaml': `- ${wildcard}` }, {}, 'GET /a/b/c', 201],
  ['a wildcard in code', { 'fixtures/a.mjs': `export default () => [${wildcard}]` }, {}, 'GET /a/b/c', 201],
  ['templates at an escaped path', {}, { graphql: { path: '/café' } }, 'POST /caf%C3%A9', 200],
  [
    'a schema at an escaped path',
    schema,
    { fixtures: 'none', graphql: { path: '/café', schema: 'a.graphql' } },
    'POST /caf%C3%A9',
    200,
  ],
])('is loaded for %s', async (_, files, options, request, status) => {
  const { Project, isLoaded } = await newLoader()
  const { current } = await new Project(files).load(options)
  const body = request.startsWith('POST') ? '{"query":"{ a }"}' : undefined
  expect((await send(current!.table, request, { body })).status).toBe(status)
  expect(isLoaded()).toBe(true)
})

it('is loaded for a file that is saved later', async () => {
  const { Project, expectEndpoints, isLoaded } = await newLoader()
  const project = new Project({ 'fixtures/a.yaml': '- path: /a\n', 'fixtures/b.yaml': '- path: /b\n' })
  const store = await project.watch()
  expect(isLoaded()).toBe(false)
  project.write('fixtures/b.yaml', `- ${wildcard}\n`)
  await expectEndpoints(store, ['GET /a', 'GET /a/**'])
  expect((await send(store.current!.table, 'GET /a/b/c')).status).toBe(201)
  expect((await send(store.current!.table, 'GET /a')).status).toBe(200)
})

it('finds mistakes where they are', async () => {
  const paths = ['/a/:id(\\d+)', '/a/:id?b=1', '/a/:x{', '/b']
  const store = await new Project({
    'fixtures/a.yaml': paths.map((path) => `- path: ${path}\n`).join(''),
  }).load()
  expect(findings(store)).toEqual([1, 2, 3].map((line) => `path-invalid fixtures/a.yaml:${line}:9`))
})
