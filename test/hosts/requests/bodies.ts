import { chunked, echo, host, read, refused, type Ask, type Group } from './row.ts'

const json = { 'Content-Type': 'application/json' }
const select = (body: string): Ask => ({ method: 'POST', target: '/select', body })
const deepObject = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)
const deepList = '['.repeat(100_000) + ']'.repeat(100_000)

export const bodies: Group = {
  title: 'Bodies',
  rows: [
    {
      request: 'No body, `content-length: 0`, an empty chunked body, or only white space',
      answer: 'There is no body',
      asks: [
        { method: 'POST', target: '/echo' },
        echo(''),
        { ...echo(''), headers: json },
        echo(' \r\n\t'),
        { ...echo(' '), headers: json },
      ],
      expected: [{ status: 200, body: { nothing: true } }],
    },
    {
      request: 'A body on GET or DELETE',
      answer: 'It is read like any other',
      asks: (['GET', 'DELETE'] as const).map((method) => ({ ...echo('{"a":1}'), method })),
      not: ['fetch'], // there, a GET can have none
      expected: read({ a: 1 }),
    },
    {
      request: 'A body of any size and type for an endpoint whose selectors do not use it',
      answer: 'It is not read and never refused; the next request on the connection is answered',
      asks: [{}, { 'Content-Encoding': 'unknown' }, { 'Content-Type': 'text/plain; charset=unknown' }].map(
        (headers) => ({
          method: 'POST',
          target: '/unread',
          body: Buffer.alloc(2_000_000),
          headers,
        }),
      ),
      expected: [{ status: 200, body: 'unread' }],
    },
    {
      request: 'More bytes than `bodyLimit`, by `content-length` or in chunks',
      answer: '413; the rest is discarded',
      asks: [echo(Buffer.alloc(1_048_577, 32))],
      bytes: [
        Buffer.concat([
          Buffer.from(`POST /echo HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`),
          chunked(Buffer.alloc(1_048_577, 32), 100_000),
        ]),
      ],
      expected: refused(413, 'request-body-too-large'),
      logged: 'request-body-too-large',
    },
    {
      request: 'JSON that is malformed, or contains a NUL character',
      answer: '400',
      asks: [echo('{"a":'), echo('{"a":"\0"}'), { ...echo('hello'), headers: json }],
      expected: refused(400, 'request-body-malformed'),
      logged: 'request-body-malformed',
    },
    {
      request: 'JSON with any content type, or without one',
      answer: 'It is read as JSON',
      asks: [
        'application/json',
        'application/x-www-form-urlencoded',
        'text/plain',
        'application/octet-stream',
      ].map((type) => echo('{"a":1}', { 'Content-Type': type })),
      expected: read({ a: 1 }),
    },
    {
      request:
        'Text that begins like JSON but is not, with the content type `text/…`; or with `[` and no content type',
      answer: 'It is read as text; so are NDJSON and TOML',
      asks: ['text/plain', 'application/x-ndjson', 'application/toml'].map((type) =>
        echo('[draft] hello', { 'Content-Type': type }),
      ),
      expected: read('[draft] hello'),
    },
    {
      request: 'A form, urlencoded or multipart',
      answer:
        'Its fields are strings; a repeated field is a list; a file is `{ name, type, size }`, and for functions also has `text()` and `bytes()`',
      asks: [
        echo('a=1&a=2', { 'Content-Type': 'application/x-www-form-urlencoded' }),
        echo(
          '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n2\r\n--x--\r\n',
          {
            'Content-Type': 'multipart/form-data; boundary=x',
          },
        ),
      ],
      expected: read({ a: ['1', '2'] }),
    },
    {
      request: 'JSON with a repeated key',
      answer: 'The last value is used, as in JavaScript',
      asks: [echo('{"a":1,"a":2}')],
      expected: read({ a: 2 }),
    },
    {
      request: 'Keys that are special in JavaScript (`__proto__`, `constructor`)',
      answer: 'They are treated like any other key, also in selectors',
      asks: [select('{"constructor":"a","x":{"__proto__":"b"}}')],
      expected: [{ status: 200, body: 'names' }],
    },
    {
      request: 'Numbers that JavaScript can’t represent (`12345678901234567890`, `1e999`)',
      answer:
        'Selectors and `$from` keep all digits. For functions, they are rounded, or become infinite, as in JavaScript',
      asks: [echo('[12345678901234567890,1e999]')],
      expected: read([12345678901234567000, null]),
    },
    {
      request: 'JSON nested deeper than 500 levels',
      answer: '400, and the message names the limit; nothing is parsed',
      asks: [
        { ...select(deepObject), headers: json },
        { ...echo(deepList), headers: json },
      ],
      expected: refused(400, 'request-body-malformed'),
      logged: 'request-body-malformed',
    },
    {
      request: 'A list nested as deeply, without a JSON content type',
      answer: 'It is read as text',
      asks: [echo(deepList)],
      expected: read(deepList),
    },
    {
      request: 'U+0000 or an unpaired surrogate, as an escape in JSON',
      answer: 'They are kept',
      asks: [echo(String.raw`"\u0000\ud800"`, json)],
      expected: read('\0\ud800'),
    },
    {
      request: 'Text that is not UTF-8',
      answer:
        'Invalid bytes become U+FFFD. A body that is not text, such as an image, is a `Uint8Array` for functions',
      asks: [echo(Buffer.from('["a\xff"]', 'latin1')), echo(Buffer.from('["a\xff"]', 'latin1'), json)],
      expected: read(['a\uFFFD']),
    },
    {
      request: 'A byte order mark of UTF-8 or UTF-16',
      answer: 'It determines the charset, and is not part of the text',
      asks: [
        echo('\uFEFF{"a":"é"}', { 'Content-Type': 'application/json; charset=latin1' }),
        echo(Buffer.from('\uFEFF{"a":"é"}', 'utf16le'), json),
        echo(Buffer.from('\uFEFF{"a":"é"}', 'utf16le').swap16()),
      ],
      expected: read({ a: 'é' }),
    },
    {
      request: 'Text in another charset that the content type names',
      answer: 'It is decoded, in any charset that browsers support',
      asks: [
        echo(Buffer.from('{"a":"é"}', 'latin1'), { 'Content-Type': 'application/json; charset=ISO-8859-1' }),
        echo(Buffer.from('{"a":"é"}', 'utf16le'), { 'Content-Type': 'text/plain; charset="utf-16"' }),
      ],
      expected: read({ a: 'é' }),
    },
    {
      request: 'Text in an unknown charset',
      answer: '415',
      asks: [echo('{}', { 'Content-Type': 'application/json; charset=klingon' })],
      expected: refused(415, 'request-charset-unknown'),
      logged: 'request-charset-unknown',
    },
  ],
}
