import { createServer, type ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { addCookie } from '../../../src/wire/node/write-response.ts'
import { closeServer, listen } from '../../hosts/serve.ts'
import { exchange } from '../../http.ts'

/** The cookies of an answer that is written after a cookie was added. */
async function cookiesOf(write: (res: ServerResponse) => void): Promise<string[] | undefined> {
  const server = createServer((_, res) => {
    res.appendHeader('set-cookie', 'before=1')
    addCookie(res, 'ours=1')
    addCookie(res, 'ours=1')
    try {
      write(res)
    } catch {
      res.destroy() // or the test would wait
    }
  })
  const { response } = await exchange(await listen(server), { url: '/' })
  await closeServer(server)
  return response.headers['set-cookie']
}

it.each<[name: string, write: (res: ServerResponse) => void, cookies: string[]]>([
  ['end', (res) => res.end('x'), ['before=1', 'ours=1']],
  ['write', (res) => (res.write('x'), res.end()), ['before=1', 'ours=1']],
  ['appendHeader', (res) => res.appendHeader('set-cookie', 'a=1').end(), ['before=1', 'ours=1', 'a=1']],
  ['setHeader, as a proxy does', (res) => res.setHeader('set-cookie', ['a=1', 'b=1']).end(), ['a=1', 'b=1', 'ours=1']],
  ['writeHead without headers', (res) => res.writeHead(404).end(), ['before=1', 'ours=1']],
  ['writeHead with a message', (res) => res.writeHead(404, 'gone').end(), ['before=1', 'ours=1']],
  ['writeHead with an object', (res) => res.writeHead(200, { 'x-a': '1' }).end(), ['before=1', 'ours=1']],
  ['writeHead with one cookie', (res) => res.writeHead(200, 'ok', { 'Set-Cookie': 'a=1' }).end(), ['a=1', 'ours=1']],
  ['writeHead with cookies', (res) => res.writeHead(302, { 'set-cookie': ['a=1', 'b=1'] }).end(), ['a=1', 'b=1', 'ours=1']],
  ['writeHead with a list', (res) => res.writeHead(200, ['x-a', 'set-cookie']).end(), ['before=1', 'ours=1']],
  ['writeHead with cookies in a list', (res) => res.writeHead(200, ['Set-Cookie', 'a=1']).end(), ['a=1', 'ours=1']],
])('keeps the cookie and those of the page: %s', async (_, write, cookies) => {
  expect(await cookiesOf(write)).toEqual(cookies)
}) // prettier-ignore
