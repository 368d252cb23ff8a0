import { refused, type Group } from './row.ts'

const form = { 'content-type': 'text/plain', 'sec-fetch-mode': 'navigate' }
const read = [{ status: 200 as const, body: { read: { a: 1 } } }]

export const pages: Group = {
  title: 'Pages in a browser',
  rows: [
    {
      request: 'A form, or a script, of a page of another site (`origin: https://other.example`)',
      answer:
        '403: it is refused where the host has not allowed the origin, and nothing of the fixture is run',
      asks: [
        {
          method: 'POST',
          target: '/echo',
          headers: { ...form, origin: 'https://other.example', 'sec-fetch-site': 'cross-site' },
          body: '{"a":1}',
        },
      ],
      expected: refused(403, 'origin-refused'),
      logged: 'origin-refused',
      not: ['http2'], // it is logged once
    },
    {
      request: 'The same without an origin (`origin: null`: a file, a sandboxed frame)',
      answer: '403',
      asks: [{ method: 'POST', target: '/echo', headers: { ...form, origin: 'null' }, body: '{"a":1}' }],
      expected: refused(403, 'origin-refused'),
      logged: 'origin-refused',
      not: ['http2'], // it is logged once
    },
    {
      request: 'A link on a page of another site (`sec-fetch-site: cross-site`, `sec-fetch-mode: navigate`)',
      answer: 'It is answered, as it is for any page',
      asks: [{ target: '/plain', headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } }],
      expected: [{ status: 200, body: 'plain' }],
    },
    {
      request:
        'A page of this machine, at any port (`origin: http://localhost:3000`, `http://127.0.0.1:3000`)',
      answer: 'It is answered',
      asks: ['http://localhost:3000', 'http://127.0.0.1:3000'].map((origin) => ({
        method: 'POST',
        target: '/echo',
        headers: { 'content-type': 'application/json', origin },
        body: '{"a":1}',
      })),
      expected: read,
    },
    {
      request:
        'A page of the server itself behind a proxy that rewrites `host` (`sec-fetch-site: same-origin`)',
      answer: 'It is answered',
      asks: [
        {
          method: 'POST',
          target: '/echo',
          headers: {
            'content-type': 'application/json',
            origin: 'https://app.example',
            'sec-fetch-site': 'same-origin',
          },
          body: '{"a":1}',
        },
      ],
      expected: read,
    },
  ],
}
