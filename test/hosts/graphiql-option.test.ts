import { describe, expect, it, onTestFinished } from 'vitest'
import { sendTo } from '../http.ts'
import { hostsNamed } from './hosts.ts'
import { createTestProject } from './test-project.ts'

describe.each(hostsNamed('connect', 'Vite 8 dev', 'Vite 8 preview'))(
  'the option graphql.graphiql, on $name',
  (host) => {
    const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    it.each<[graphiql: boolean, url: string, headers: Record<string, string>, type: string | undefined]>([
      [true, '/graphql', html, 'text/html; charset=utf-8'],
      [true, '/graphql?query={hero{name}}', html, 'text/html; charset=utf-8'],
      [
        true,
        '/graphql?query={hero{name}}',
        { accept: 'application/json' },
        'application/json; charset=utf-8',
      ],
      [true, '/graphql?query={hero{name}}', {}, 'application/json; charset=utf-8'],
      [false, '/graphql?query={hero{name}}', html, 'application/json; charset=utf-8'],
    ])('%s: %s %j gets %s', async (graphiql, url, headers, type) => {
      const project = createTestProject({})
      const running = await host.start(project, { options: { graphql: { graphiql } } })
      onTestFinished(async () => {
        await running.close()
        project.close()
      })
      for (const method of ['GET', 'HEAD']) {
        const response = await sendTo(running.origin)({ method, url, headers })
        expect([response.status, response.headers['content-type']]).toEqual([200, type])
        if (method === 'HEAD') expect(response.text).toBe('')
        else expect(response.text.includes('GraphiQL')).toBe(type!.startsWith('text/html'))
      }
    })
  },
)
