/* Every dev server of docs/hosts at its newest version, with the lines of its page: `npm run test:hosts`. Needs `npm run build`. */
import { describe, expect, inject, it, onTestFailed, onTestFinished } from 'vitest'
import { hosts } from './hosts.ts'
import { createProject, serve } from './project.ts'
import { writeFiles } from './scaffold.ts'

describe.each(hosts)('$name', (host) => {
  it('answers, reloads, shows the inspector and tells a miss', async () => {
    const project = await createProject(host, inject('tarball'))
    onTestFinished(() => project.remove())
    const server = await serve(project)
    onTestFinished(() => server.stop())
    onTestFailed(() => console.error(server.output()))
    const ask = async (path: string, init: RequestInit = {}) => {
      if (server.hasEnded()) throw new Error(server.output())
      const signal = AbortSignal.timeout(60_000)
      const response = await fetch(server.origin + path, { signal, ...init }).catch(String)
      return typeof response === 'string' ? response : response.text()
    }
    const poll = (path: string) => expect.poll(() => ask(path))

    await poll('/items?page=2').toMatch(/"page": ?2\b.*"has_more": ?true/)
    expect(await ask(host.page.path, { headers: { accept: 'text/html' } })).toContain(host.page.text)
    const body = JSON.stringify({ operationName: 'FailingQuery' })
    const headers = { 'content-type': 'application/json' }
    expect(await ask('/graphql', { method: 'POST', headers, body })).toContain('"errors":')
    for (const text of ['first', 'second']) {
      writeFiles(project.cwd, { 'fixtures/own.yaml': `- { path: /own, response: { body: ${text} } }\n` })
      await poll('/own').toBe(text)
    }
    expect(await ask('/__mock-api/')).toMatch(/<title>[^<]*mock API/i)
    const miss = { headers: { accept: '*/*', 'sec-fetch-dest': 'empty' } }
    await ask('/owm', miss)
    await expect.poll(server.output).toContain('No route answers GET /owm. Did you mean GET /own')
    await expect.poll(server.output).toMatch(/inspector: +http:\/\/[^ ]*\/__mock-api\//i)
    await expect.poll(() => ask('/__mock-api/api/requests')).toContain('"url":"/owm"')
  })
})
