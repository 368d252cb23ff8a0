import { Agent, get, type IncomingMessage } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { createClient } from '../../src/client.ts'
import { startApiServer } from '../inspector/server/api-server.ts'

const fixture = `
- { path: /feed, response: { stream: [], on: { push: feed } } }
- { path: /ticks, response: { stream: [{ data: 1 }, { delay: 100000, data: 2 }] } }
`
const streams = 1000
const pushes = 50

const withoutHeartbeats = (text: string) => text.replaceAll(':\n\n', '')

const open = (url: string, agent: Agent) =>
  new Promise<IncomingMessage>((resolve, reject) => get(url, { agent }, resolve).on('error', reject))

it('1000 open streams get 50 pushes each, all of them and in order', async () => {
  const server = await startApiServer({ 'fixtures/a.yaml': fixture })
  const agent = new Agent({ keepAlive: false })
  const texts = new Array<string>(streams).fill('')
  const responses = await Promise.all(texts.map(() => open(`${server.origin}/feed`, agent)))
  responses.forEach((response, index) => {
    response.on('error', () => {})
    response.on('data', (chunk: Buffer) => (texts[index] += String(chunk)))
  })
  const client = createClient(server.origin)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const start = performance.now()
  for (let n = 0; n < pushes; n++) {
    expect(await client.push('feed', n)).toBe(streams)
    // 10 a second to each of 1000 streams
    const due = start + (n + 1) * 100
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
  }
  const expected = `${Array.from({ length: pushes }, (_, n) => `data: ${n}\n\n`).join('')}`
  await expect.poll(() => texts.filter((text) => withoutHeartbeats(text) !== expected).length).toBe(0)
  const seconds = (performance.now() - start) / 1000
  delay.disable()
  console.log(
    `${Math.round((streams * pushes) / seconds)} events a second, event loop delay p99 ${Math.round(delay.percentile(99) / 1e6)} ms (client and server in one process), ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
  )
  responses.forEach((response) => response.destroy())
  await server.close()
})

it('10 000 connects and leaves: no timer, socket or listener stays', async () => {
  const server = await startApiServer({ 'fixtures/a.yaml': fixture })
  const agent = new Agent({ keepAlive: false, maxSockets: 50 })
  const resources = () => process.getActiveResourcesInfo().length
  await server.send('/ticks').then((response) => response.body!.cancel())
  const before = resources()
  const one = async () => {
    const response = await open(`${server.origin}/ticks`, agent)
    await new Promise((resolve) => response.once('data', resolve))
    response.destroy()
  }
  for (let n = 0; n < 10_000; n += 50) await Promise.all(Array.from({ length: 50 }, one))
  await expect.poll(resources).toBeLessThanOrEqual(before + 5)
  await server.close()
})
