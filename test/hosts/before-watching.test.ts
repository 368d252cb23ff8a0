/*
 * Watching begins only after the first load, when the host can already answer. What changes in between is not lost: here it
 * changes at the last moment before the watcher is made, on every host of this run.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sendTo } from '../http.ts'
import { hosts, type RunningHost } from './hosts.ts'
import { createTestProject } from './test-project.ts'

/** What is done by root before the files below it are watched. */
const lastMoments = new Map<string, () => void>()

vi.mock(import('../../src/loader/watch/watch-fixtures.ts'), async (importActual) => {
  const actual = await importActual()
  return {
    ...actual,
    watchFixtures(places, handlers) {
      for (const [root, edit] of lastMoments) if (places.some((place) => place.startsWith(root))) edit()
      return actual.watchFixtures(places, handlers)
    },
  }
})

const yaml = (path: string, body: string) => `- { path: ${path}, response: { body: ${body} } }\n`

describe.each(hosts)('between the first load and the watcher of $name', ({ start }) => {
  const project = createTestProject({
    'fixtures/saved.yaml': yaml('/saved', 'before'),
    'fixtures/deleted.yaml': yaml('/deleted', 'before'),
    'fixtures/broken.yaml': yaml('/broken', 'before'),
    'fixtures/wrong.yaml': '- { path: /wrong, respons: {} }\n',
  })
  let running: RunningHost
  let first: { status: number; text: string }
  beforeAll(async () => {
    lastMoments.set(project.root, () => {
      project.write('fixtures/saved.yaml', yaml('/saved', 'after'))
      project.write('fixtures/created.yaml', yaml('/created', 'after'))
      project.write('fixtures/broken.yaml', '- { path: /broken')
      project.remove('fixtures/deleted.yaml')
    })
    running = await start(project)
    first = await sendTo(running.origin)({ url: '/wrong' })
  })
  afterAll(async () => {
    await running.close()
    project.close()
  })

  const textOf = async (url: string) => (await sendTo(running.origin)({ url })).text
  const log = () => running.log.join('\n')

  it('the first request is answered from the fixtures, and an error of the first load is shown', () => {
    expect(first.status).toBe(500)
    expect(first.text).toContain('fixture-unknown-key')
    expect(log()).toMatch(/fixtures\/wrong\.yaml:1:19 .*"respons"/)
  })

  it('a file that is saved, created or deleted is noticed', async () => {
    await expect.poll(() => textOf('/saved')).toBe('after')
    await expect.poll(() => textOf('/created')).toBe('after')
    await expect.poll(() => textOf('/deleted')).not.toBe('before')
  })

  it('a file with a new error keeps its routes, and the error is reported', async () => {
    await expect.poll(log).toMatch(/fixtures\/broken\.yaml:1:\d+ .*[^]*\[fixture-syntax\]/)
    expect(await textOf('/broken')).toBe('before')
  })
})
