import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testContract } from '../contract.ts'
import { sendTo } from '../http.ts'
import { hosts, type RunningHost } from './hosts.ts'
import { createTestProject } from './test-project.ts'

describe.each(hosts)('the contract on $name', ({ start }) => {
  const project = createTestProject()
  let running: RunningHost
  beforeAll(async () => {
    running = await start(project)
  })
  afterAll(async () => {
    await running.close()
    project.close()
  })

  testContract((request) => sendTo(running.origin)(request))

  it('says once what answers', async () => {
    await sendTo(running.origin)({ url: '/items' })
    expect(running.log.filter((line) => line.includes('5 routes from the starter templates'))).toHaveLength(1)
  })

  it('tells of a page that does not exist once for each value', async () => {
    const send = sendTo(running.origin)
    for (const page of ['98', '97', '98', '97', '1', '2']) await send({ url: `/items?page=${page}` })
    const told = running.log.filter((line) => line.includes('selects no page'))
    expect(told.filter((line) => line.includes('page=98 '))).toHaveLength(1)
    expect(told.filter((line) => line.includes('page=97 '))).toHaveLength(1)
    expect(told.filter((line) => /page=[12] /.test(line))).toEqual([])
  })
})
