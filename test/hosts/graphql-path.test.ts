import { expect, it, onTestFinished } from 'vitest'
import { sendTo } from '../http.ts'
import { hostsNamed } from './hosts.ts'
import { createTestProject } from './test-project.ts'

it('the starter template moves with the option graphql.path', async () => {
  const project = createTestProject({})
  const host = hostsNamed('connect')[0]!
  const running = await host.start(project, { options: { graphql: { path: '/api/gql' } } })
  onTestFinished(async () => {
    await running.close()
    project.close()
  })
  const send = sendTo(running.origin)
  const body = '{"operationName":"FailingQuery"}'
  const moved = await send({ method: 'POST', url: '/api/gql', body })
  expect([moved.status, Object.keys(JSON.parse(moved.text) as object)]).toEqual([200, ['errors', 'data']])
  const left = await send({ method: 'POST', url: '/graphql', body })
  expect(left.headers['x-passed-on']).toBe('POST')
})
