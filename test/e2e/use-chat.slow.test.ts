/*
 * `useChat` of the AI SDK in a page: a call of a tool with its second turn, and a text. What it reads otherwise, errors among it, is in
 * test/server/live/model-clients.slow.test.ts.
 */
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostsNamed, type RunningHost } from '../hosts/hosts.ts'
import { createTestProject } from '../hosts/test-project.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()
const [vite] = hostsNamed('Vite 8 dev')

const project = createTestProject({
  'index.html':
    '<!doctype html><html lang="en"><title>chat</title><div id="root"></div><script type="module" src="/main.js"></script>',
  'main.js': `import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import { useChat } from '@ai-sdk/react'
import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai'

function Chat() {
  const { messages, sendMessage, addToolOutput, status, error } = useChat({
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onToolCall({ toolCall }) {
      const { toolCallId, toolName, input } = toolCall
      void addToolOutput({ tool: toolName, toolCallId, output: { celsius: input.city === 'Oslo' ? -3 : 20 } })
    },
  })
  globalThis.sendMessage = sendMessage
  globalThis.seen = { messages, status, error: error?.message }
  return h('main', {}, messages.map(({ id, parts }) => h('p', { key: id }, parts.map(({ text }) => text).join(' '))))
}
createRoot(document.getElementById('root')).render(h(Chat))
`,
  'fixtures/chat.yaml': `
- method: POST # the second turn
  path: /api/chat
  when: { body: { messages.-1.role: assistant } }
  response: { stream: { as: ai-sdk, text: 'It is cold in Oslo.' } }
- method: POST
  path: /api/chat
  when: { body: { messages.-1.parts.0.text: { $regex: weather } } }
  response:
    stream:
      as: ai-sdk
      each: 10
      events:
        - { data: { thinking: Look it up. } }
        - { data: { text: One moment. } }
        - { data: { tool: get_weather, input: { city: Oslo } } }
- method: POST
  path: /api/chat
  response: { stream: { as: ai-sdk, text: 'Hello from the mock.', each: 10 } }
`,
})

let running: RunningHost
beforeAll(async () => {
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', project.root]
  execFileSync('npm', ['install', ...flags, 'ai', '@ai-sdk/react', 'react', 'react-dom'], { stdio: 'ignore' })
  running = await vite!.start(project)
}, 300_000)
afterAll(async () => {
  await running.close()
  project.close()
})

interface Seen {
  messages: { role: string; parts: { type: string; text?: string }[] }[]
  status: string
  error?: string
}

async function chat(...texts: string[]): Promise<Seen> {
  const context = await browser().newContext()
  const page = await context.newPage()
  await page.goto(running.origin)
  await page.waitForFunction('globalThis.sendMessage')
  for (const [index, text] of texts.entries()) {
    await page.evaluate(`sendMessage({ text: ${JSON.stringify(text)} })`)
    const length = 2 * (index + 1)
    await page.waitForFunction(`seen.status === 'error' ||
      (seen.status === 'ready' && seen.messages.length === ${length} && seen.messages.at(-1).parts.at(-1).text)`)
  }
  const seen = await page.evaluate<Seen>('JSON.parse(JSON.stringify(seen))')
  await context.close()
  return seen
}

const assistant = ({ messages }: Seen) => messages.find(({ role }) => role === 'assistant')?.parts

it('a call of a tool, the second turn with its result, and what is said then', async () => {
  const seen = await chat('How is the weather in Oslo?', 'Thanks.')
  expect(seen.messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'Hello from the mock.' })
  expect(assistant(seen)).toMatchObject([
    { type: 'step-start' },
    { type: 'reasoning', text: 'Look it up.' },
    { type: 'text', text: 'One moment.' },
    { type: 'tool-get_weather', state: 'output-available', input: { city: 'Oslo' }, output: { celsius: -3 } },
    { type: 'step-start' },
    { type: 'text', text: 'It is cold in Oslo.' },
  ])
})
