import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import { createTestProject } from '../hosts/test-project.ts'

it.each([
  ['a name that is too long', `${'x'.repeat(300)}.txt`],
  ['a link to itself', 'loop.txt'],
])('a body file with %s is an error of its own file alone', async (_, name) => {
  const project = createTestProject({
    'fixtures/a.yaml': '- { path: /good, response: { body: good } }',
    'fixtures/b.yaml': `- { path: /bad, response: { file: ${name} } }`,
  })
  if (name === 'loop.txt') symlinkSync(name, join(project.root, 'fixtures', name))
  const log: string[] = []
  const write = (message: string) => void log.push(message)
  const logger = { info: write, warn: write, error: write }
  const middleware = createMiddleware({ root: project.root, logger })
  await middleware.ready
  await middleware.close()
  project.close()
  expect(log.join('\n')).toContain('fixtures/b.yaml:1:')
  expect(log.join('\n')).toContain('[body-file-unreadable]')
  expect(log.at(-1)).toBe('[mock-api] 1 route from fixtures/a.yaml')
})
