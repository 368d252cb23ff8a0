/*
 * Runs inside a project that has installed the package. It loads every entry, serves each folder of `process.argv` on connect
 * and on Vite, prints what it has loaded and where it serves, and ends when its input does.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

/** Entries for tests, which need the package that they are for. The other tests of this folder, and of test/ways, load them. */
const needPeers = ['./msw', './vitest', './playwright']

/**
 * @param {(name: string) => any} load `import` or `require`, as code of the project calls it
 * @param {NodeRequire} require
 */
export async function main(load, require) {
  process.stdin.resume().once('end', () => process.exit())
  const entries = {}
  const { exports } = require('unplugin-mock-api/package.json')
  for (const path of Object.keys(exports)) {
    if (String(exports[path]).endsWith('.d.ts')) continue // types alone
    if (needPeers.includes(path)) continue
    const name = `unplugin-mock-api${path.slice(1)}`
    entries[name] = Object.keys(name.endsWith('.json') ? require(name) : await load(name))
  }
  const origins = []
  for (const root of process.argv.slice(2)) {
    const options = JSON.parse(readFileSync(join(root, 'options.json'), 'utf8'))
    origins.push({ connect: await onConnect(root, options), vite: await onVite(root, options) })
  }
  console.log(JSON.stringify({ entries, origins }))

  async function onConnect(root, options) {
    const { createMiddleware } = await load('unplugin-mock-api/connect')
    const server = createServer(createMiddleware({ root, ...options }))
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${server.address().port}`
  }

  async function onVite(root, options) {
    const { mockApi } = await load('unplugin-mock-api/vite')
    const vite = await load('vite')
    const server = await vite.createServer({
      root,
      configFile: false,
      cacheDir: join(root, '.cache'),
      plugins: [mockApi(options)],
      server: { host: '127.0.0.1', port: 0 },
    })
    await server.listen()
    return `http://127.0.0.1:${server.httpServer.address().port}`
  }
}
