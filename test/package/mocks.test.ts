/* A mocked module would reach the other tests of its process. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'
import { expect, it } from 'vitest'
import { isolated } from '../../vitest.config.ts'

const cwd = fileURLToPath(new URL('../..', import.meta.url))

it('every file that mocks a module is in the project "isolated" of vitest.config.ts', () => {
  const tests = globSync('test/**/*.test.ts', { cwd, ignore: 'test/**/*.{slow,scaffold}.test.ts' })
  const mocking = tests.filter((file) => /^vi\.mock\(/m.test(readFileSync(join(cwd, file), 'utf8')))
  const alone = globSync(isolated, { cwd })
  expect(alone).not.toEqual([])
  expect(mocking.filter((file) => !alone.includes(file))).toEqual([])
})
