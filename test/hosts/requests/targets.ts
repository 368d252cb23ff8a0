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
        'A target in absolute form, as sent to proxies (`GET http://localhost/plain`), with or without a user name',
      answer: 'Its path is matched; its host is ignored',
      bytes: [line('http://localhost/plain?a=1'), line('HTTP://user:secret@other.example/plain')],
      expected: plainAnswer,
    },
    {
      request: '`OPTIONS *`',
      answer:
        'It has no path, so no route matches: it is passed to the host, even if a route is `OPTIONS /**`',
      by: 'host',
      bytes: [line('*', 'OPTIONS')],
      expected: leftToHost,
    },
    {
      request: 'An uncommon method such as `PROPFIND`',
      answer: 'It is treated like any other method: a route answers it, or it is passed to the host',
      asks: [{ method: 'PROPFIND', target: '/dav' }],
      expected: [{ status: 200, body: 'dav' }],
    },
    {
      request: 'A query string of 15 KiB',
      answer: 'It is read',
      asks: [get(`/parts/1?q=${'x'.repeat(15_000)}`)],
      expected: parts({ query: { q: 'x'.repeat(15_000) } }),
    },
    {
      request: 'A query string of 64 KiB',
      answer: '431: Node accepts 16 KiB of headers. (`--max-http-header-size` changes the limit.)',
      by: 'Node',
      bytes: [line(`/parts/1?q=${'x'.repeat(65_536)}`)],
      expected: [{ status: 431 }],
      closes: true,
    },
    {
      request: '1000 headers',
      answer: 'All are read. (Node ignores headers after the 2000th.)',
      asks: [
        get('/parts/1', {
          ...Object.fromEntries(Array.from({ length: 998 }, (_, n) => [`x${n}`, ''])),
          cookie: 'last=1',
        }),
      ],
      expected: parts({ cookies: { last: '1' } }),
      not: ['http2'], // there, Node accepts 128 and resets the stream if there are more
    },
    {
      request:
        'A path with malformed percent-encoding, or with bytes that are not UTF-8 (`%`, `%zz`, `%C3%28`, `%C0%AF`, `%ED%A0%80`)',
      answer:
        'No route matches: it is passed to the host. If that does not answer either, the terminal says which route has the path, and how to encode it',
      by: 'host',
      bytes: ['%', '%zz', '%C3%28', '%C0%AF', '%ED%A0%80'].map((escape) => line(`/parts/${escape}`)),
      expected: leftToHost,
    },
    {
      request: 'An encoded slash, percent sign, line break or NUL in a path (`%2F`, `%25`, `%0D%0A`, `%00`)',
      answer: 'It belongs to its segment, and a parameter contains it decoded',
      asks: [get('/parts/%2F%25%0D%0A%00')],
      expected: parts({ params: { id: '/%\r\n\0' } }),
    },
    {
      request: 'A path with an encoded letter (`/pl%61in`), or with a trailing slash',
      answer: 'It matches the same route as without',
      asks: [get('/pl%61in'), get('/plain/')],
      expected: plainAnswer,
    },
    {
      request:
        'Dot segments, double slashes, letters in another case, matrix parameters (`/parts/../plain`, `//plain`, `/PLAIN`, `/plain;a=1`)',
      answer: 'Paths are not normalised: these are different paths, which are passed to the host',
      by: 'host',
      bytes: ['/parts/../plain', '//plain', '/plain//', '/PLAIN', '/plain;a=1'].map((path) => line(path)),
      expected: leftToHost,
    },
    {
      request:
        'A query with `+`, with malformed percent-encoding, or with empty parts (`?&&a=b+c&=&d=%&e=%C3`)',
      answer:
        'It is read as browsers read it: `+` is a space, malformed percent-encoding is kept, and bytes that are not UTF-8 become U+FFFD',
      asks: [get('/parts/1?&&a=b+c&=&d=%&e=%C3')],
      expected: parts({ query: { a: 'b c', '': '', d: '%', e: '\uFFFD' } }),
    },
    {
      request: 'A repeated query parameter or cookie',
      answer:
        'A selector matches if one of the values of the parameter does; functions get the first in `query`, and all in `url.searchParams`. The first cookie is used',
      asks: [get('/parts/1?a=1&a=2', { cookie: 'b=1; b=2' })],
      expected: parts({ query: { a: '1' }, cookies: { b: '1' } }),
    },
    {
      request: 'Two `cookie` headers; two `content-type` headers',
      answer: 'The cookies are joined; the first content type is used',
      bytes: [
        `GET /parts/1 HTTP/1.1\r\n${host}Cookie: a=1\r\nCookie: b=2\r\nContent-Type: text/a\r\nContent-Type: text/b\r\n\r\n`,
      ],
      expected: parts({ cookies: { a: '1', b: '2' }, type: 'text/a' }),
    },
    {
      request:
        'Names that are special in JavaScript (`__proto__`, `constructor`) in a path, a query or a cookie',
      answer: 'They are treated like any other name',
      asks: [get('/parts/__proto__?__proto__=1&constructor=2', { cookie: '__proto__=3; toString=4' })],
      expected: parts(
        JSON.parse(
          '{"params":{"id":"__proto__"},"query":{"__proto__":"1","constructor":"2"},"cookies":{"__proto__":"3","toString":"4"}}',
        ) as object,
      ),
    },
    {
      request:
        'Credentials in a request that matches no route: `authorization`, cookies, and keys, tokens and passwords in headers, the query or properties of the body',
      answer: 'The answer and the log show `…` instead. ([Security](security.md) lists what is shown.)',
      asks: [
        {
          method: 'POST',
          target: '/select?access_token=sesame',
          headers: { authorization: 'Bearer sesame', cookie: 'session=sesame', 'x-api-key': 'sesame' },
          body: '{"password":"sesame"}',
        },
      ],
      expected: [{ status: 404, body: { error: { code: 'route-unmatched' } }, without: 'sesame' }],
      logged: 'route-unmatched',
    },
    {
      request: 'Line breaks in a value that an error message repeats',
      answer: 'They stay encoded, or inside the JSON: no header can be injected',
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
