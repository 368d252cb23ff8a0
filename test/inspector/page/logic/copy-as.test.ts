import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asCurl, asFetch } from '../../../../src/inspector/page/logic/send.ts'

const origin = 'http://localhost:5173'
const body = (text: string) => ({ size: text.length, text, isCut: false })
const browserHeaders = {
  host: 'localhost:5173',
  'user-agent': 'Mozilla',
  'sec-fetch-mode': 'cors',
  cookie: '…',
  'accept-encoding': 'gzip',
  'content-length': '2',
}

describe('as cURL', () => {
  it.each([
    [
      { method: 'GET', url: '/items?page=2', headers: browserHeaders },
      `curl 'http://localhost:5173/items?page=2'`,
    ],
    [
      { method: 'DELETE', url: '/items/1', headers: {} },
      'curl http://localhost:5173/items/1 \\\n  -X DELETE',
    ],
    [{ method: 'HEAD', url: '/', headers: {} }, 'curl http://localhost:5173/ \\\n  --head'],
    [
      {
        method: 'POST',
        url: '/graphql',
        headers: { ...browserHeaders, 'content-type': 'application/json', 'x-tenant': "it's" },
        body: body(`{"a":"it's"}`),
      },
      String.raw`curl http://localhost:5173/graphql \
  -H 'content-type: application/json' \
  -H 'x-tenant: it'\''s' \
  --data-raw '{"a":"it'\''s"}'`,
    ],
  ])('%#', (request, command) => expect(asCurl(request, origin)).toBe(command))

  it.skipIf(process.platform === 'win32')('a shell gives curl what was sent, whatever it was', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => !value.includes('\0'))
    const texts = fc.sample(text, 100).map((value) => value.toWellFormed())
    const commands = texts.map((sent) =>
      asCurl({ method: 'POST', url: '/', headers: {}, body: body(sent) }, origin),
    )
    // One shell for all of them.
    const script = `curl() { printf '%s\\0' "$3"; }\n${commands.join('\n')}`
    const printed = execFileSync('sh', ['-c', script]).toString().split('\0')
    expect(printed.slice(0, -1)).toEqual(texts)
  })
})

it.each([
  [{ method: 'GET', url: '/items', headers: browserHeaders }, 'await fetch("/items")'],
  [
    { method: 'POST', url: '/a', headers: { 'x-a': '1' }, body: body('</script>') },
    'await fetch("/a", {\n  "method": "POST",\n  "headers": {\n    "x-a": "1"\n  },\n  "body": "</script>"\n})',
  ],
])('as fetch: %#', (request, code) => expect(asFetch(request)).toBe(code))
