/* What docs/getting-started.md says that the terminal shows, beside the answers (`answers.test.ts`): Vite is started. */
import type { AddressInfo } from 'node:net'
import { stripVTControlCharacters } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { createServer } from 'vite'
import { createTestProject } from '../hosts/test-project.ts'
import { viteConfig } from '../hosts/vite-hosts.ts'
import { sendTo } from '../http.ts'
import { blocksOf } from './pages.ts'

const blocks = blocksOf('docs/getting-started.md')
const fixture = blocks.find(({ file }) => file === 'fixtures/orders.yaml')!.text
/** The page breaks lines that are too long. */
const inOneLine = (text: string) => stripVTControlCharacters(text).trim().replace(/\s+/g, ' ')
const shown = (text: string) => inOneLine(blocks.find((block) => block.text.includes(text))!.text)

it('the terminal shows what the page shows', async () => {
  const project = createTestProject()
  const { config, log } = viteConfig(project)
  const server = await createServer(config)
  onTestFinished(async () => {
    await server.close()
    project.close()
  })
  await server.listen()
  server.printUrls()
  const { port } = server.httpServer!.address() as AddressInfo
  const terminal = () =>
    inOneLine(log.join('\n')).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://localhost:5173')
  await expect.poll(terminal).toContain(shown('Inspector:'))

  project.write('fixtures/orders.yaml', fixture)
  await expect.poll(terminal).toContain('3 routes from fixtures/orders.yaml')
  await sendTo(`http://127.0.0.1:${port}`)({ url: '/order', headers: { accept: 'application/json' } })
  await expect.poll(terminal).toContain(shown('Did you mean GET /orders'))

  project.write('fixtures/orders.yaml', fixture.replace('response:', 'respnse:'))
  await expect.poll(terminal).toContain(shown('Unknown key "respnse"'))
})
