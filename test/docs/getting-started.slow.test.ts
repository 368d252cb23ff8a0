/* What docs/getting-started.md says that the terminal shows, beside the answers (`answers.test.ts`): Vite is started. */
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { hostsNamed, startFor } from '../hosts/hosts.ts'
import { blocksOf } from './pages.ts'

const blocks = blocksOf('docs/getting-started.md')
const fixture = blocks.find(({ file }) => file === 'fixtures/orders.yaml')!.text
/** The page breaks lines that are too long. */
const inOneLine = (text: string) => stripVTControlCharacters(text).trim().replace(/\s+/g, ' ')
const shown = (text: string) => inOneLine(blocks.find((block) => block.text.includes(text))!.text)

it('the terminal shows what the page shows', async () => {
  const { project, log, send } = await startFor(hostsNamed('Vite 8 dev')[0]!)
  const terminal = () =>
    inOneLine(log.join('\n')).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://localhost:5173')
  await expect.poll(terminal).toContain(shown('Inspector:'))

  project.write('fixtures/orders.yaml', fixture)
  await expect.poll(terminal).toContain('fixtures/orders.yaml: 3 routes added')
  await send({ url: '/order', headers: { accept: 'application/json' } })
  await expect.poll(terminal).toContain(shown('Did you mean GET /orders'))

  project.write('fixtures/orders.yaml', fixture.replace('response:', 'respnse:'))
  await expect.poll(terminal).toContain('fixtures/orders.yaml:4:3 Unknown key "respnse"')
})
