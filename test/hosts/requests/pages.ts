import { refused, type Group } from './row.ts'

const form = { 'content-type': 'text/plain', 'sec-fetch-mode': 'navigate' }
const read = [{ status: 200 as const, body: { read: { a: 1 } } }]

export const pages: Group = {
  title: 'Requests from web pages',
  rows: [
    {
      request: 'A form or script on a page of another site (`origin: https://other.example`)',
      answer: '403 unless the host allows the origin; no response function is called',
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
      request: 'The same from a page with an opaque origin (`origin: null`: a local file, a sandboxed frame)',
      answer: '403',
      asks: [{ method: 'POST', target: '/echo', headers: { ...form, origin: 'null' }, body: '{"a":1}' }],
      expected: refused(403, 'origin-refused'),
      logged: 'origin-refused',
      not: ['http2'], // it is logged once
    },
    {
      request: 'A link on a page of another site (`sec-fetch-site: cross-site`, `sec-fetch-mode: navigate`)',
      answer: 'It is answered, like a link on any page',
      asks: [{ target: '/plain', headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } }],
      expected: [{ status: 200, body: 'plain' }],
    },
    {
      request:
        'A page on this machine, on any port (`origin: http://localhost:3000`, `http://127.0.0.1:3000`)',
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
        'A page of the dev server itself, behind a proxy that rewrites `host` (`sec-fetch-site: same-origin`)',
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
