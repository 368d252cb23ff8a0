/*
 * Watching begins only after the first load, when the host can already answer. What changes in between is not lost: here it
 * changes at the last moment before the watcher is made.
 */
import { expect, it, onTestFinished, vi } from 'vitest'
import { sendTo } from '../http.ts'
import { hostsNamed } from './hosts.ts'
import { projectOfTest } from './of-test.ts'
import * as watching from '../../src/loader/watch/watch-fixtures.ts'

const yaml = (path: string, body: string) => `- { path: ${path}, response: { body: ${body} } }\n`

it.each(hostsNamed('node:http', 'Vite 8 dev'))('$name notices it', async ({ start }) => {
  const project = projectOfTest({
    'fixtures/saved.yaml': yaml('/saved', 'before'),
    'fixtures/deleted.yaml': yaml('/deleted', 'before'),
    'fixtures/broken.yaml': yaml('/broken', 'before'),
    'fixtures/wrong.yaml': '- { path: /wrong, respons: {} }\n',
  })
  const { watchFixtures } = watching
  const watch = vi.spyOn(watching, 'watchFixtures').mockImplementation((places, handlers) => {
    project.write('fixtures/saved.yaml', yaml('/saved', 'after'))
    project.write('fixtures/created.yaml', yaml('/created', 'after'))
    project.write('fixtures/broken.yaml', '- { path: /broken')
    project.remove('fixtures/deleted.yaml')
    return watchFixtures(places, handlers)
  })
  onTestFinished(() => watch.mockRestore())
  const running = await start(project)
  onTestFinished(() => running.close())
  const send = sendTo(running.origin)
  const textOf = async (url: string) => (await send({ url })).text
  const log = () => running.log.join('\n')

  const first = await send({ url: '/wrong' })
  expect([first.status, first.text]).toEqual([500, expect.stringContaining('fixture-unknown-key')])
  expect(log()).toMatch(/fixtures\/wrong\.yaml:1:19 /)
  await expect.poll(() => textOf('/saved')).toBe('after')
  await expect.poll(() => textOf('/created')).toBe('after')
  await expect.poll(() => textOf('/deleted')).not.toBe('before')
  await expect.poll(log).toMatch(/fixtures\/broken\.yaml:1:\d+ .*[^]*\[fixture-syntax\]/)
  expect(await textOf('/broken')).toBe('before')
})
