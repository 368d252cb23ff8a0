/* The client of Socket.IO in a page of Vite, next to hot reload. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { hostsNamed } from '../hosts/hosts.ts'
import { projectOfTest } from '../hosts/of-test.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()
const [vite] = hostsNamed('Vite 8 dev')
const client = createRequire(import.meta.url)
  .resolve('socket.io-client')
  .replace(/build.*/, 'dist/socket.io.esm.min.js')

const main = `
import { io } from './socket.io.js'
import { text } from './text.js'
const write = (line) => document.body.append(document.createElement('p').appendChild(new Text(line + ' ')))
write(text)
window.socket = io()
window.socket.on('hello', (name) => write('hello ' + name))
window.socket.io.engine.on('upgrade', ({ name }) => write('upgraded to ' + name))
import.meta.hot.accept('./text.js', ({ text }) => write(text))
`

it('polls, upgrades and is answered, and hot reload goes on', async () => {
  const fixture = `
- path: /socket.io
  websocket:
    protocol: socket.io
    open: { send: { event: hello, data: ada } }
    messages: [{ when: { event: save }, send: { ack: saved } }]
`
  const project = projectOfTest({
    'fixtures/chat.yaml': fixture,
    'index.html': '<!doctype html><script type="module" src="/main.js"></script>',
    'main.js': main,
    'text.js': "export const text = 'first'",
    'socket.io.js': readFileSync(client, 'utf8'),
  })
  const server = await vite!.start(project, {})
  const context = await browser().newContext()
  try {
    const page = await context.newPage()
    await page.goto(server.origin)
    for (const line of ['first', 'hello ada', 'upgraded to websocket']) await page.getByText(line).waitFor()
    project.write('text.js', "export const text = 'second'")
    await page.getByText('second').waitFor()
    const save = () =>
      page.evaluate(() =>
        (window as unknown as { socket: { emitWithAck: (name: string) => Promise<string> } }).socket.emitWithAck('save'),
      ) // prettier-ignore
    expect(await save()).toBe('saved')
    expect(await page.getByText('hello ada').count()).toBe(1)
    project.write('fixtures/chat.yaml', fixture.replace('data: ada', 'data: grace'))
    await page.getByText('hello grace').waitFor()
    expect(await save()).toBe('saved')
  } finally {
    await context.close()
    await server.close()
  }
})
