import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { diagnoseFile } from '../../../src/core/diagnostics/file-texts.ts'
import type { MockServer } from '../../../src/server/mock-server.ts'
import { overlayErrors } from '../../../src/plugin/overlay/overlay.ts'

const root = resolve('project')

function errorsOf(...diagnostics: object[]) {
  return overlayErrors({
    store: { current: { diagnostics } },
    options: { root, overlay: true },
  } as unknown as MockServer)
}

const syntax = (place: object) => diagnoseFile('fixture-syntax', place, { reason: 'no end' })
const text: unknown = expect.stringMatching(
  /^Syntax error: no end\.\n.*Fix: Correct the syntax\..*\[fixture-syntax\]$/s,
)

it.each([
  [{ file: 'a/b.yaml', line: 2, column: 3 }, 'a/b.yaml:2:3', join(root, 'a/b.yaml:2:3')],
  [{ file: 'a/b.yaml' }, 'a/b.yaml', join(root, 'a/b.yaml')],
  [{ file: '/else/where.yaml', line: 1, column: 1 }, '/else/where.yaml:1:1', resolve('/else/where.yaml:1:1')],
  [{}, '', ''],
])('reports the position: %j', (place, shown, link) => {
  expect(errorsOf(syntax(place))).toEqual([{ place: shown, link, text }])
})

it('keeps the frame in the text', () => {
  const frame = '> 2 |   respnse: {}\n    |   ^'
  const [error] = errorsOf({
    ...syntax({ file: 'a.yaml', line: 2, column: 3, pointer: '/0/respnse' }),
    frame,
  })
  expect(error!.text).toMatch(/^Syntax error: no end\.\n> 2 \| {3}respnse: \{\}\n/)
})

it('shows errors, no warnings, and at most ten, with the count of the others', () => {
  expect(errorsOf(diagnoseFile('fixtures-not-found', {}, { fixtures: 'fixtures' }))).toEqual([])
  const many = Array.from({ length: 12 }, (_, index) => syntax({ file: `${index}.yaml` }))
  const shown = errorsOf(...many)
  expect(shown.slice(0, 10).map(({ place }) => place)).toEqual(many.slice(0, 10).map(({ file }) => file))
  expect(shown.slice(10)).toEqual([{ place: '', link: '', text: 'And 2 more errors, in the terminal.' }])
})

it('shows none with `overlay: false`', () => {
  const store = { current: { diagnostics: [syntax({})] } }
  expect(overlayErrors({ store, options: { root, overlay: false } } as unknown as MockServer)).toEqual([])
})

it('shows none before the fixture files are read', () => {
  expect(overlayErrors({ store: {}, options: { root, overlay: true } } as unknown as MockServer)).toEqual([])
})
