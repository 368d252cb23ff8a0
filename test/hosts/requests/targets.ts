import { host, type Ask, type Expected, type Group } from './row.ts'

const get = (target: string, headers: Record<string, string> = {}): Ask => ({ target, headers })
const line = (target: string, method = 'GET') => `${method} ${target} HTTP/1.1\r\n${host}\r\n`
const plainAnswer: Expected[] = [{ status: 200, body: 'plain' }]
const parts = (body: object): Expected[] => [{ status: 200, body }]
const leftToHost: Expected[] = [{ status: 'host' }]

export const targets: Group = {
  title: 'Targets, headers and cookies',
  rows: [
    {
      request:
        'A target in absolute form, as proxies send it (`GET http://localhost/plain`), with a user name or without',
      answer: 'Its path counts, whatever its host',
      bytes: [line('http://localhost/plain?a=1'), line('HTTP://user:secret@other.example/plain')],
      expected: plainAnswer,
    },
    {
      request: '`OPTIONS *`',
      answer: 'It is no path, so no route has it: it is left to the host, even beside a route `OPTIONS /**`',
      by: 'host',
      bytes: [line('*', 'OPTIONS')],
      expected: leftToHost,
    },
    {
      request: 'A method that few servers know, such as `PROPFIND`',
      answer: 'It is a method like any other: a route has it, or it is left to the host',
      asks: [{ method: 'PROPFIND', target: '/dav' }],
      expected: [{ status: 200, body: 'dav' }],
    },
    {
      request: '15 KiB of query string',
      answer: 'It is read',
      asks: [get(`/parts/1?q=${'x'.repeat(15_000)}`)],
      expected: parts({ query: { q: 'x'.repeat(15_000) } }),
    },
    {
      request: '64 KiB of query string',
      answer:
        'Node takes 16 KiB of headers: 431, and the connection is closed. (`--max-http-header-size` sets more.)',
      by: 'Node',
      bytes: [line(`/parts/1?q=${'x'.repeat(65_536)}`)],
      expected: [{ status: 431 }],
      closes: true,
    },
    {
      request: '1000 headers',
      answer: 'They are read. (Node drops those behind the 2000th.)',
      asks: [
        get('/parts/1', {
          ...Object.fromEntries(Array.from({ length: 998 }, (_, n) => [`x${n}`, ''])),
          cookie: 'last=1',
        }),
      ],
      expected: parts({ cookies: { last: '1' } }),
      not: ['http2'], // Node takes 128 there, and says so with a reset stream
    },
    {
      request:
        'A path whose percent-encoding is malformed, or is no UTF-8 (`%`, `%zz`, `%C3%28`, `%C0%AF`, `%ED%A0%80`)',
      answer: 'No route has it: it is left to the host',
      by: 'host',
      bytes: ['%', '%zz', '%C3%28', '%C0%AF', '%ED%A0%80'].map((escape) => line(`/parts/${escape}`)),
      expected: leftToHost,
    },
    {
      request: 'An encoded slash, percent sign, line break or NUL in a path (`%2F`, `%25`, `%0D%0A`, `%00`)',
      answer: 'It is part of its segment, and a parameter has it decoded',
      asks: [get('/parts/%2F%25%0D%0A%00')],
      expected: parts({ params: { id: '/%\r\n\0' } }),
    },
    {
      request: 'A character of the path in another spelling (`/pl%61in`), or one slash behind it',
      answer: 'It is the same path',
      asks: [get('/pl%61in'), get('/plain/')],
      expected: plainAnswer,
    },
    {
      request:
        'Dot segments, double slashes, other letters, a matrix parameter (`/parts/../plain`, `//plain`, `/PLAIN`, `/plain;a=1`)',
      answer: 'Nothing is normalised: these are other paths, and left to the host',
      by: 'host',
      bytes: ['/parts/../plain', '//plain', '/plain//', '/PLAIN', '/plain;a=1'].map((path) => line(path)),
      expected: leftToHost,
    },
    {
      request:
        'A query with `+`, with malformed escapes, with separators that separate nothing (`?&&a=b+c&=&d=%&e=%C3`)',
      answer:
        'It is read as browsers read it: `+` is a space, a malformed escape stays as it is, no UTF-8 is U+FFFD',
      asks: [get('/parts/1?&&a=b+c&=&d=%&e=%C3')],
      expected: parts({ query: { a: 'b c', '': '', d: '%', e: '\uFFFD' } }),
    },
    {
      request: 'A parameter or a cookie that is repeated',
      answer: 'The first counts',
      asks: [get('/parts/1?a=1&a=2', { cookie: 'b=1; b=2' })],
      expected: parts({ query: { a: '1' }, cookies: { b: '1' } }),
    },
    {
      request: 'Two `cookie` headers; two `content-type` headers',
      answer: 'Cookies are joined; of content types, the first counts',
      bytes: [
        `GET /parts/1 HTTP/1.1\r\n${host}Cookie: a=1\r\nCookie: b=2\r\nContent-Type: text/a\r\nContent-Type: text/b\r\n\r\n`,
      ],
      expected: parts({ cookies: { a: '1', b: '2' }, type: 'text/a' }),
    },
    {
      request: 'Names of JavaScript’s own (`__proto__`, `constructor`) in a path, a query or a cookie',
      answer: 'They are names like any other',
      asks: [get('/parts/__proto__?__proto__=1&constructor=2', { cookie: '__proto__=3; toString=4' })],
      expected: parts(
        JSON.parse(
          '{"params":{"id":"__proto__"},"query":{"__proto__":"1","constructor":"2"},"cookies":{"__proto__":"3","toString":"4"}}',
        ) as object,
      ),
    },
    {
      request:
        'Credentials in a request that fits no route: `authorization`, cookies, keys and tokens in headers or the query',
      answer:
        'The answer and the log show `…` in their place. ([SECURITY.md](../SECURITY.md) says what else is shown.)',
      asks: [
        {
          method: 'POST',
          target: '/select?access_token=sesame',
          headers: { authorization: 'Bearer sesame', cookie: 'session=sesame', 'x-api-key': 'sesame' },
        },
      ],
      expected: [{ status: 404, body: { error: { code: 'route-unmatched' } }, without: 'sesame' }],
      logged: 'route-unmatched',
    },
    {
      request: 'Line breaks in what an error repeats of the request',
      answer: 'They stay encoded, or inside the JSON: no header can be added',
      asks: [
        {
          method: 'POST',
          target: '/select?a=%0D%0Aset-cookie:%20a=1',
          body: '{"b":"\\r\\nset-cookie: a=1"}',
        },
      ],
      expected: [
        {
          status: 404,
          body: { error: { code: 'route-unmatched' } },
          headers: { 'set-cookie': undefined },
        },
      ],
      logged: 'route-unmatched',
    },
  ],
}
