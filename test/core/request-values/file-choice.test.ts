import { describe, expect, it, onTestFinished } from 'vitest'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFetchHandler } from '../../../src/fetch.ts'
import { loadRoutes } from '../../../src/load.ts'
import { recorder } from '../../hosts/serve.ts'
import { createTestProject } from '../../hosts/test-project.ts'

const fixture = (text: string) => `
- name: a file
  path: /files/**
  response: { headers: { x-a: { $from: params.0 } }, file: { $text: '${text}' } }
`
const files = {
  'fixtures/a.yaml': fixture('orders/{params.0}'),
  'fixtures/secret.json': '{}',
  'fixtures/orders/7.json': '{ "id": 7 }',
  'fixtures/orders/deep/ü.txt': 'ü',
  'fixtures/orders/.env': 'SECRET=1',
  'fixtures/orders-too/1.json': '1',
  'secret.txt': 'secret',
}

function project(given: Record<string, string> = files) {
  const made = createTestProject(given)
  onTestFinished(made.close)
  return made.root
}

async function handlerOf(root: string) {
  const { logger } = recorder()
  return createFetchHandler(await loadRoutes('fixtures', { root, logger }), { logger })
}

describe('file: { $text }', () => {
  it('sends the file that the request names, with its type and its ranges', async () => {
    const handler = await handlerOf(project())
    const get = (path: string, headers = {}) =>
      handler(new Request(`http://localhost/files/${path}`, { headers }))
    const order = (await get('7.json'))!
    expect([await order.text(), order.headers.get('content-type'), order.headers.get('x-a')]).toEqual([
      '{ "id": 7 }',
      'application/json; charset=utf-8',
      '7.json',
    ])
    expect(await (await get('deep/%C3%BC.txt'))!.text()).toBe('ü')
    const part = (await get('7.json', { range: 'bytes=2-5' }))!
    expect([part.status, await part.text()]).toEqual([206, '"id"'])
  })

  it('never sends another one', async () => {
    const root = project()
    const orders = join(root, 'fixtures/orders')
    symlinkSync(join(root, 'secret.txt'), join(orders, 'link.txt'))
    mkdirSync(join(root, 'outside'))
    writeFileSync(join(root, 'outside/a.txt'), 'secret')
    symlinkSync(join(root, 'outside'), join(orders, 'linked'))
    const handler = await handlerOf(root)
    const names = [
      '8.json', '', '.', '..', '.env', 'deep', '..%2Fsecret.json', '..%2F..%2Fsecret.txt', '%2E%2E/secret.json',
      '..%5Csecret.json', '%2Fetc%2Fpasswd', '7.json%00', '7.json%00.txt', './7.json', 'deep/../7.json', 'deep%2F..%2F7.json',
      '7.json/', '//7.json', 'C:%5Csecret.txt', 'link.txt', 'linked/a.txt', '..%2Forders-too%2F1.json', '__proto__', 'constructor',
      encodeURIComponent(join(root, 'secret.txt')),
    ] // prettier-ignore
    for (const name of names) {
      const response = await handler(new Request(`http://localhost/files/${name}`))
      if (!response) continue // `URL` has left the folder, too
      const text = await response.text()
      // A URL leaves out "." and "..", so that some of them name a file after all.
      if (response.status === 200) expect(text, name).toBe('{ "id": 7 }')
      else expect([response.status, text.includes('secret":')], name).toEqual([404, false])
    }
  })

  it.each<[text: string, files: Record<string, string>, message: string]>([
    ['{params.0}', files, 'it does not begin with a folder'],
    ['./{params.0}', files, 'it does not begin with a folder'],
    ['../{params.0}', files, 'it does not begin with a folder'],
    ['orders/../../{params.0}', files, 'it does not begin with a folder'],
    ['/etc/{params.0}', files, 'it does not begin with a folder'],
    ['gone/{params.0}', files, 'there is no'],
    ['orders/{params.1}', files, 'A request has no "params.1"'],
  ])('%s is refused', async (text, given, message) => {
    const root = project({ ...given, 'fixtures/a.yaml': fixture(text) })
    await expect(loadRoutes('fixtures', { root, logger: recorder().logger })).rejects.toThrow(message)
  })

  it('is refused where the folder is a link out of the fixtures', async () => {
    const root = project({ ...files, 'fixtures/a.yaml': fixture('away/{params.0}') })
    mkdirSync(join(root, 'outside'))
    symlinkSync(join(root, 'outside'), join(root, 'fixtures/away'))
    await expect(loadRoutes('fixtures', { root, logger: recorder().logger })).rejects.toThrow(
      'it does not begin with a folder',
    )
  })
})

it('what a file or a function has is data, also in a list that was loaded', async () => {
  const data = '[{ "$from": "headers.cookie" }, { "$text": 7 }]'
  const root = project({
    'fixtures/a.yaml': `
- { path: /body, response: { file: data/b.json } }
- { path: /items, paginate: { style: link, items: { file: data/b.json } } }
`,
    'fixtures/b.ts': `export default [{ path: '/made', paginate: { style: 'link', items: () => (${data}) } }]`,
    'fixtures/data/b.json': data,
  })
  const handler = await handlerOf(root)
  for (const path of ['body', 'items', 'made'])
    expect(await (await handler(new Request(`http://localhost/${path}`)))!.json()).toEqual(JSON.parse(data))
})
