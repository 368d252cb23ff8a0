import { describe, expect, it } from 'vitest'
import { describeChanges } from '../../src/loader/describe-changes.ts'
import { Project } from './project.ts'

const one = '- { path: /a, response: { body: 1 } }\n'
const two = '- { name: two, path: /a, when: { query: { page: { $gt: 2 } } }, response: { body: 2 } }\n'
const code = (body: number) =>
  `export default [{ path: '/c', when: () => true, response: () => ({ body: ${body} }) }]`

describe('a reload says what has changed', () => {
  it.each<[what: string, before: Record<string, string>, after: Record<string, string>, said: string | undefined]>([
    ['a route is added in front', { 'a.yaml': one }, { 'a.yaml': two + one }, 'fixtures/a.yaml: 1 route added'],
    ['two are removed', { 'a.yaml': `${one}${two}- { path: /b }\n` }, { 'a.yaml': one }, 'fixtures/a.yaml: 2 routes removed'],
    ['a body', { 'a.yaml': one + two }, { 'a.yaml': one.replace('1', '7') + two }, 'fixtures/a.yaml: 1 route changed'],
    ['an operator', { 'a.yaml': one + two }, { 'a.yaml': one + two.replace('2', '3') }, 'fixtures/a.yaml: 1 route changed'],
    ['a name', { 'a.yaml': one + two }, { 'a.yaml': one + two.replace('two', '2nd') }, 'fixtures/a.yaml: 1 route added, 1 removed'],
    ['a comment', { 'a.yaml': one + two }, { 'a.yaml': `# why\n${one}${two}` }, undefined],
    ['a function', { 'c.ts': code(1) }, { 'c.ts': code(2) }, 'fixtures/c.ts: 1 route changed'],
    ['a file is added and another removed', { 'a.yaml': one }, { 'b.yaml': two }, 'fixtures/a.yaml: 1 route removed; fixtures/b.yaml: 1 route added'],
    ['many files', {}, Object.fromEntries([...'abcde'].map((name) => [`${name}.yaml`, one.replace('/a', `/${name}`)])), 'fixtures/a.yaml: 1 route added; fixtures/b.yaml: 1 route added; fixtures/c.yaml: 1 route added; 2 more files'],
  ])('%s', async (_, before, after, said) => {
    const [old, now] = await Promise.all([before, after].map(loaded))
    expect(describeChanges(old!, now!)).toBe(said)
  }) // prettier-ignore
})

async function loaded(files: Record<string, string>) {
  const inFolder = Object.entries(files).map(([name, text]) => [`fixtures/${name}`, text] as const)
  const { current } = await new Project(Object.fromEntries(inFolder)).load()
  return current!
}
