import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { resolveOptions } from '../../src/core/options/resolve-options.ts'
import { viteOrigins } from '../../src/server/origin-policies.ts'
import { startMockServer } from '../../src/server/mock-server.ts'
import { createTestProject } from '../hosts/test-project.ts'
import { closeServer, listen, recorder } from '../hosts/serve.ts'

it('says that an origin is the server itself, that the proxy asks it, and that two instances have it', async () => {
  const { log, logger } = recorder()
  const project = createTestProject()
  const web = createServer()
  const origin = await listen(web)
  project.write(
    'fixtures/a.yaml',
    `- { url: '${origin}/a', response: {} }\n- { url: 'https://b.example/b', response: {} }`,
  )
  const server = startMockServer(resolveOptions({ watch: false }, { root: project.root, logger }))
  await server.store.ready
  const { origins } = server.store.current!.table
  const handle = server.createHandler('', viteOrigins, {
    originsNow: () => [...origins, 'https://b.example'],
    proxy: { '/api': { target: 'https://b.example/v1' } },
  })
  web.on('request', (req, res) =>
    handle(req, res, () => res.setHeader('content-type', 'text/html').end('<p>a')),
  )
  onTestFinished(async () => {
    await server.close()
    await closeServer(web)
    project.close()
  })
  const open = async () => (await fetch(origin, { headers: { accept: 'text/html' } })).text()
  expect(await open()).toBe('<script src="/__mock-api/origins.js"></script><p>a')
  await open()
  expect(log.map((text) => /\[([\w-]+)\]$/.exec(text)?.[1])).toEqual([
    'origin-own',
    'origin-twice',
    'origin-proxied',
  ])
})
