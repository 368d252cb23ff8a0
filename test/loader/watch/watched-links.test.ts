import { describe, expect, it } from 'vitest'
import { expectAnswers, Project, watchers, yaml } from '../project.ts'

/** The modules below a folder that the newest watcher watches. */
function watchedModules(folder: string): string[] {
  return Object.entries(watchers.at(-1)!.watcher.getWatched())
    .flatMap(([parent, names]) => names.map((name) => `${parent}/${name}`))
    .filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.js'))
}

/** A folder of a hundred files in ten folders, as a link may lead to. */
function manyFiles(folder: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${folder}/${i % 10}/${i}.js`, '']))
}

describe('links outside of the fixture folders', () => {
  it.each<[fixtures: string]>([
    ['fixtures'],
    ['./fixtures/'],
    ['fixtures/*.yaml'],
    ['{fixtures,mocks}/**/*.yaml'],
    ['@(fixtures)/**/*.yaml'],
  ])('with fixtures: %s, what they lead to is not watched', async (fixtures) => {
    const elsewhere = new Project({ ...manyFiles('node_modules'), ...manyFiles('data') })
    const project = new Project({ 'fixtures/a.yaml': yaml('/a', 1) })
    project.link('node_modules', elsewhere.path('node_modules'))
    project.link('data', elsewhere.path('data'))
    project.link('fixtures/node_modules', elsewhere.path('node_modules'))
    const store = await project.watch({ fixtures })
    await expectAnswers(store, ['GET /a 1'])
    expect(watchedModules(elsewhere.root)).toEqual([])
    project.write('fixtures/a.yaml', yaml('/a', 2))
    await expectAnswers(store, ['GET /a 2'])
    expect(watchedModules(elsewhere.root)).toEqual([])
  })
})

it('of what a link on the way to the fixtures leads to, only the fixtures are watched', async () => {
  const project = new Project({
    'real/fixtures/a.yaml': yaml('/a', 1),
    'other/fixtures/a.yaml': yaml('/a', 3),
    ...manyFiles('real/data'),
  })
  project.link('app', 'real')
  const store = await project.watch({ fixtures: 'app/fixtures' })
  await expectAnswers(store, ['GET /a 1'])
  project.write('real/fixtures/a.yaml', yaml('/a', 2))
  await expectAnswers(store, ['GET /a 2'])
  expect(watchedModules(project.root)).toEqual([])
  project.link('app', 'other')
  await expectAnswers(store, ['GET /a 3'])
  project.write('other/fixtures/a.yaml', yaml('/a', 4))
  await expectAnswers(store, ['GET /a 4'])
})

it('a link in a fixture folder is watched with everything below its target', async () => {
  const project = new Project({ 'fixtures/b.yaml': yaml('/b', 1), ...manyFiles('shared') })
  project.link('fixtures/shared', '../shared')
  const store = await project.watch({ fixtures: ['fixtures', '!**/*.js'] })
  await expectAnswers(store, ['GET /b 1'])
  expect(watchedModules(project.path('shared'))).toHaveLength(100)
})
