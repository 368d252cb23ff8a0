import { expect, it } from 'vitest'
import {
  answers,
  expectAnswers,
  expectFindings,
  findings,
  module,
  Project,
  watchers,
  yaml,
} from './project.ts'

/** All that a store answers while something happens, without what repeats. */
async function record(
  project: Project,
  happen: (project: Project) => Promise<void>,
  last: readonly string[],
): Promise<string[]> {
  const store = await project.watch()
  const seen: string[] = [answers(store).join()]
  store.onReload(() => seen.push(answers(store).join()))
  await happen(project)
  await expectAnswers(store, last)
  expect(findings(store)).toEqual([])
  return seen.filter((now, index) => now !== seen[index - 1])
}

/** Time that a save takes in its middle: what is tested is that nothing is answered in it that was never saved. */
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const two = { 'fixtures/a.yaml': yaml('/a', 1), 'fixtures/b.yaml': yaml('/b', 1) }

it.each([20, 100])('a file that is empty for %i ms keeps its routes meanwhile', async (milliseconds) => {
  const project = new Project(two)
  const seen = await record(project, async () => {
    project.write('fixtures/a.yaml', '')
    await pause(milliseconds)
    project.write('fixtures/a.yaml', yaml('/a', 2))
  }, ['GET /a 2', 'GET /b 1'])
  expect(seen).toEqual(['GET /a 1,GET /b 1', 'GET /a 2,GET /b 1'])
})

it.each([50, 100])('a file that is missing for %i ms keeps its routes meanwhile', async (milliseconds) => {
  const project = new Project(two)
  const seen = await record(project, async () => {
    project.remove('fixtures/a.yaml')
    await pause(milliseconds)
    project.write('fixtures/a.yaml', yaml('/a', 2))
  }, ['GET /a 2', 'GET /b 1'])
  expect(seen).toEqual(['GET /a 1,GET /b 1', 'GET /a 2,GET /b 1'])
})

it('the only file that is missing for a moment does not bring the templates back', async () => {
  const project = new Project({ 'fixtures/a.yaml': yaml('/a', 1) })
  const seen = await record(project, async () => {
    project.remove('fixtures')
    await pause(80)
    project.write('fixtures/a.yaml', yaml('/a', 2))
  }, ['GET /a 2'])
  expect(seen).toEqual(['GET /a 1', 'GET /a 2'])
})

it('a file that stays empty or missing loses its routes', async () => {
  const project = new Project({ ...two, 'fixtures/c.yaml': yaml('/c', 1) })
  const store = await project.watch()
  project.write('fixtures/a.yaml', '')
  await expectAnswers(store, ['GET /b 1', 'GET /c 1'])
  project.remove('fixtures/b.yaml')
  await expectAnswers(store, ['GET /c 1'])
})

it.each(['', '\n'])('a module that stays empty is left out, as a new one is: %j', async (text) => {
  const project = new Project({ ...two, 'fixtures/c.ts': module('/c', 1) })
  const store = await project.watch()
  project.write('fixtures/c.ts', text)
  await expectAnswers(store, ['GET /a 1', 'GET /b 1'])
  expect(findings(store)).toEqual(['fixture-empty fixtures/c.ts'])
})

it('a module that no longer exports routes is reported, and its last good routes answer', async () => {
  const project = new Project({ 'fixtures/c.ts': module('/c', 1) })
  const store = await project.watch()
  project.write('fixtures/c.ts', 'const routes = []\n')
  await expectFindings(store, ['fixture-no-default-export fixtures/c.ts:1'])
  expect(answers(store)).toEqual(['GET /c 1'])
})

it('a route that moves to another file while its own is broken is not there twice', async () => {
  const project = new Project(two)
  const store = await project.watch()
  project.write('fixtures/a.yaml', '- [')
  await expectFindings(store, ['fixture-syntax fixtures/a.yaml:1:4'])
  expect(answers(store)).toEqual(['GET /a 1', 'GET /b 1'])
  project.write('fixtures/c.yaml', yaml('/a', 2))
  await expectAnswers(store, ['GET /b 1', 'GET /a 2'])
  expect(findings(store)).toEqual(['fixture-syntax fixtures/a.yaml:1:4'])
})

it('a renamed file is never loaded twice', async () => {
  const project = new Project(two)
  const seen = await record(
    project,
    () => Promise.resolve(project.rename('fixtures/a.yaml', 'fixtures/c.yaml')),
    ['GET /b 1', 'GET /a 1'],
  )
  expect(seen).toEqual(['GET /a 1,GET /b 1', 'GET /b 1,GET /a 1'])
  expect(project.logs).toEqual([])
})

function reachWatchLimit(): void {
  const error = Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
    code: 'ENOSPC',
  })
  for (let i = 0; i < 1000; i++) watchers.at(-1)!.watcher.emit('error', error)
}

it('where the system can not watch any more files, it is said once, with the fix, and edits are still seen', async () => {
  const project = new Project(two)
  const store = await project.watch()
  reachWatchLimit()
  project.write('fixtures/a.yaml', yaml('/a', 2))
  await expectAnswers(store, ['GET /a 2', 'GET /b 1'])
  project.write('fixtures/c.yaml', yaml('/c', 1))
  await expectAnswers(store, ['GET /a 2', 'GET /b 1', 'GET /c 1'])
  project.remove('fixtures/b.yaml')
  await expectAnswers(store, ['GET /a 2', 'GET /c 1'])
  expect(project.logs).toEqual([
    expect.stringMatching(
      /^warn (?:\[mock-api\] )?The system can't watch any more files \(ENOSPC\).*\n.*sysctl fs\.inotify/,
    ),
  ])
})

it('where the system can not watch any more files, schema files that come and go are still seen', async () => {
  const project = new Project({ ...two, 'schema/a.graphql': 'type Query { a: Int }' })
  const store = await project.watch({ graphql: { schema: 'schema' } })
  reachWatchLimit()
  project.write('schema/b.graphql', 'type B { b: Missing }')
  await expectFindings(store, ['schema-invalid schema/b.graphql:1:13'])
  project.remove('schema/b.graphql')
  await expectFindings(store, [])
})
