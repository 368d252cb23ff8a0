/* docs/cli.md and docs/check.md: their commands are run, and print what the pages show. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkTexts } from '../../src/cli/check/texts.ts'
import { runIn } from '../cli/test-terminal.ts'
import { createTestProject, type TestProject } from '../hosts/test-project.ts'
import { blocksOf, readPage } from './pages.ts'

/** The arguments in a command line of a page. */
const argumentsIn = (text: string) =>
  [
    ...text
      .trim()
      .replace('npx unplugin-mock-api ', '')
      .matchAll(/'([^']*)'|\S+/g),
  ].map(([word, quoted]) => quoted ?? word)

describe('docs/check.md', () => {
  const page = readPage('docs/check.md')
  const blocks = blocksOf('docs/check.md')
  const files = Object.fromEntries(
    // Without the line that names the file, as the lines in the outputs are counted.
    blocks.flatMap(({ file, text }) => (file ? [[file, text.replace(/^(?:#|\/\/) .*\n/, '')]] : [])),
  )
  let project: TestProject
  beforeAll(() => {
    const later = ['fixtures/orders.yaml', 'fixtures/broken.yaml', 'fixtures/hero.ts']
    const first = Object.entries(files).filter(([name]) => !later.includes(name))
    project = createTestProject(Object.fromEntries(first))
  })
  afterAll(() => project.close())

  const commands = blocks.flatMap(({ language, text }, index) =>
    language === 'sh' ? [{ command: text.trim(), index }] : [],
  )
  it.each(commands)('$command', async ({ command, index }) => {
    for (const name of ['orders', 'broken'])
      if (command.includes(name)) project.write(`fixtures/${name}.yaml`, files[`fixtures/${name}.yaml`]!)
    const { stdout } = await runIn(project.root, argumentsIn(command))
    const shown = blocks.slice(index).find(({ language }) => language === 'text')!
    expect(stdout).toBe(shown.text)
  })

  it('what is wrong on purpose is not reported', async () => {
    project.write('fixtures/broken.yaml', files['fixtures/broken.yaml']!)
    const args = ['check', '--fixtures', 'fixtures/broken.yaml', '--openapi', 'openapi.yaml']
    expect((await runIn(project.root, args)).stdout).toContain('1 route compared; 0 errors')
  })

  it('lists every code', () => {
    expect([...page.matchAll(/^\| `(check-[a-z-]+)`/gm)].map(([, code]) => code)).toEqual(
      Object.keys(checkTexts),
    )
  })

  it('lists every option', () => expectOptions('check', page))
})

describe('docs/cli.md', () => {
  const page = readPage('docs/cli.md')
  const blocks = blocksOf('docs/cli.md')

  it('the change is the one that is shown', async () => {
    const diff = blocks.find(({ language }) => language === 'diff')!.text
    const [name, , ...lines] = diff.trimEnd().split('\n')
    const config = lines
      .filter((line) => !line.startsWith('+'))
      .map((line) => `${line.slice(1)}\n`)
      .join('')
    const project = createTestProject({ [name!]: config })
    const { stdout } = await runIn(project.root, ['init'])
    project.close()
    // Prettier removes the space of an empty line.
    expect(stdout.replaceAll('\n \n', '\n\n')).toContain(diff)
  })

  it('the lines for a config that is left alone are the ones that are shown', async () => {
    const project = createTestProject({ 'vite.config.ts': 'export default mergeConfig(a, b)\n' })
    const { stdout, exitCode } = await runIn(project.root, ['init', '--yes'])
    project.close()
    expect([stdout, exitCode]).toEqual([
      expect.stringContaining(blocks.find(({ language }) => language === 'text')!.text),
      1,
    ])
  })

  it('lists every command', async () => {
    const { stdout } = await runIn('.', ['--help'])
    const commands = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}(\w+) /gm)].map(
      ([, name]) => name!,
    )
    const listed = [...page.matchAll(/^\| \[?`(\w+)`/gm)].map(([, name]) => name)
    expect(commands).toEqual([...listed, 'help'])
  })

  it('lists every option of init', () => expectOptions('init', page))

  it('docs/without-dev-server.md lists every option of serve', () =>
    expectOptions('serve', readPage('docs/without-dev-server.md')))

  it('docs/agents.md lists every option of mcp', () => expectOptions('mcp', readPage('docs/agents.md')))

  it('docs/explore.md lists every option of explore', () =>
    expectOptions('explore', readPage('docs/explore.md')))
})

/** Each option in the help of a command is in the page. */
async function expectOptions(command: string, page: string): Promise<void> {
  const { stdout } = await runIn('.', [command, '--help'])
  const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option!)
  const own = options.filter((option) => option !== '--help')
  expect(own.length).toBeGreaterThan(2)
  expect(own.filter((option) => !page.includes(`| \`${option}`))).toEqual([])
}
