/*
 * What open subscriptions cost: node bench/live.mjs, after npm run build. The server is a process of its own, so that its memory and the
 * delays of its event loop are its own.
 *
 * 1. 1000 subscriptions over graphql-transport-ws get 10 events a second each, for 10 seconds.
 * 2. A client that never reads: how much is kept for it before it is cut off.
 * 3. 10 000 WebSockets come and go: what is left.
 */
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { connect } from 'node:net'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'

const subscriptions = 1000
const seconds = 10
const perSecond = 10

const fixture = `
- path: /graphql
  when: { operationType: subscription, operationName: Ticks }
  response: { stream: [], on: { push: ticks } }
- { path: /flood, websocket: { on: { push: flood } } }
- { path: /chat, websocket: { open: [{ send: hello }, { delay: 100000, send: later }] } }
`

if (process.argv[2] === 'server') await serve(process.argv[3])
else await measure()

async function serve(root) {
  const { createMiddleware } = await import('../dist/connect.js')
  const middleware = createMiddleware({ root, watch: false, logLevel: 'warn' })
  await middleware.ready
  const server = createServer(middleware)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const delay = monitorEventLoopDelay({ resolution: 1 })
  process.on('message', (what) => {
    if (what === 'measure') {
      delay.reset()
      delay.enable()
    } else {
      globalThis.gc()
      const resources = process.getActiveResourcesInfo()
      process.send({
        rss: process.memoryUsage().rss / 1e6,
        heap: process.memoryUsage().heapUsed / 1e6,
        p99: delay.percentile(99) / 1e6 - 1,
        cpu: process.cpuUsage().user / 1e6,
        sockets: resources.filter((name) => name === 'TCPSocketWrap').length,
        timers: resources.filter((name) => name === 'Timeout').length,
      })
    }
  })
  process.on('disconnect', () => process.exit())
  process.send({ port: server.address().port })
}

async function measure() {
  const root = mkdtempSync(join(tmpdir(), 'mock-api-live-'))
  mkdirSync(join(root, 'fixtures'))
  writeFileSync(join(root, 'fixtures/live.yaml'), fixture)
  const server = fork(fileURLToPath(import.meta.url), ['server', root], { execArgv: ['--expose-gc'] })
  const [{ port }] = await once(server, 'message')
  const ask = async () => {
    server.send('report')
    return (await once(server, 'message'))[0]
  }
  const push = async (channel, data) => {
    const headers = { 'content-type': 'application/json', 'x-mock-api': '1' }
    const body = JSON.stringify({ channel, data })
    const answer = await fetch(`http://127.0.0.1:${port}/__mock-api/api/push`, {
      method: 'POST',
      headers,
      body,
    })
    return (await answer.json()).streams
  }
  const open = async (path, protocols) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols)
    await once(socket, 'open')
    return socket
  }
  try {
    const start = await ask()
    await flow(open, push, ask, server, start)
    await stalled(open, push, ask, port)
    await comeAndGo(open, ask)
  } finally {
    server.disconnect()
    rmSync(root, { recursive: true })
  }
}

async function flow(open, push, ask, server, start) {
  const seen = new Array(subscriptions).fill(0)
  let wrong = 0
  const sockets = []
  for (let index = 0; index < subscriptions; index++) {
    const socket = await open('/graphql', ['graphql-transport-ws'])
    sockets.push(socket)
    socket.send('{"type":"connection_init"}')
    const payload = { query: 'subscription Ticks { tick }' }
    socket.on('message', (text) => {
      const message = JSON.parse(text)
      if (message.type === 'connection_ack')
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }))
      if (message.type !== 'next' || message.payload.data.tick === 'ready') return
      if (message.payload.data.tick !== seen[index]) wrong++
      seen[index]++
    })
  }
  while ((await push('ticks', { tick: 'ready' })) < subscriptions) await sleep(50)
  const ready = await ask()
  server.send('measure')
  const begin = performance.now()
  const total = seconds * perSecond
  for (let n = 0; n < total; n++) {
    const reached = await push('ticks', { tick: n })
    if (reached !== subscriptions) throw new Error(`a push has reached ${reached} of ${subscriptions}`)
    await sleep(Math.max(0, begin + ((n + 1) * 1000) / perSecond - performance.now()))
  }
  while (seen.some((count) => count < total)) await sleep(5)
  const took = (performance.now() - begin) / 1000
  const report = await ask()
  const cpu = ((report.cpu - ready.cpu) / (subscriptions * total)) * 1e6
  console.log(
    `${subscriptions} subscriptions, ${Math.round((subscriptions * total) / took)} events a second for ${took.toFixed(1)} s: ` +
      `${wrong} out of order or lost; event loop delay p99 ${report.p99.toFixed(1)} ms; ` +
      `${cpu.toFixed(0)} µs of CPU for each; memory ${report.rss.toFixed(0)} MB, of which the heap ${report.heap.toFixed(0)} MB, before ${start.rss.toFixed(0)} MB`,
  )
  for (const socket of sockets) socket.terminate()
}

async function stalled(open, push, ask, port) {
  const head = ['GET /flood HTTP/1.1', 'host: localhost', 'connection: Upgrade', 'upgrade: websocket']
  const socket = connect(port, '127.0.0.1')
  const key = ['sec-websocket-version: 13', 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==']
  socket.write([...head, ...key, '', ''].join('\r\n'))
  await once(socket, 'readable') // and never read again
  socket.on('error', () => {})
  const before = await ask()
  const text = 'x'.repeat(100_000)
  let pushes = 0
  let most = 0
  while (pushes < 1000 && (await push('flood', text)) === 1) {
    pushes++
    most = Math.max(most, (await ask()).rss - before.rss)
  }
  console.log(
    `a client that never reads is cut off after ${(pushes * text.length) / 1e6} MB; the server's memory grew by ${most.toFixed(0)} MB`,
  )
  socket.destroy()
}

async function comeAndGo(open, ask) {
  await sleep(200)
  const before = await ask()
  const one = async () => {
    const socket = await open('/chat')
    const closed = once(socket, 'close')
    socket.terminate()
    await closed
  }
  for (let n = 0; n < 10_000; n += 50) await Promise.all(Array.from({ length: 50 }, one))
  await sleep(500)
  const after = await ask()
  console.log(
    `10 000 WebSockets have come and gone: sockets ${before.sockets} → ${after.sockets}, timers ${before.timers} → ${after.timers}, ` +
      `heap ${before.heap.toFixed(1)} → ${after.heap.toFixed(1)} MB`,
  )
}
