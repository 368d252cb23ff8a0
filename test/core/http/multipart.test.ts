import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMultipart } from '../../../src/core/http/multipart.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('readMultipart', () => {
  it('reads what FormData writes', async () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'a"b', 'a\r\nb', 'é', '[]', 'name="x"'),
      fc.string({ minLength: 1 }),
    )
    const part = fc.record({ name, file: fc.option(name), content: fc.uint8Array({ maxLength: 30 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
        const form = new FormData()
        for (const { name, file, content } of parts) {
          if (file === null) form.append(name, new TextDecoder().decode(content))
          else form.append(name, new Blob([content], { type: 'image/png' }), file)
        }
        const response = new Response(form)
        const type = response.headers.get('content-type')!
        const body = new Uint8Array(await response.arrayBuffer())
        const again = await new Response(body, { headers: { 'content-type': type } }).formData()
        const expected = await Promise.all(
          [...again].map(async ([name, value]) =>
            typeof value === 'string'
              ? { name, filename: undefined, type: '', bytes: bytes(value) }
              : {
                  name,
                  filename: value.name,
                  type: value.type,
                  bytes: new Uint8Array(await value.arrayBuffer()),
                },
          ),
        )
        const read = readMultipart(body, type)!.map((one) => ({ ...one, bytes: new Uint8Array(one.bytes) }))
        expect(read).toEqual(expected)
      }),
    )
  })

  it.each<[what: string, type: string, body: string]>([
    ['no boundary', 'multipart/form-data', '--x--\r\n'],
    ['another boundary', 'multipart/form-data; boundary=y', '--x--\r\n'],
    ['no end', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1'],
    ['a part without content', 'multipart/form-data; boundary=x', '--x\r\n--x--\r\n'],
    ['nothing', 'multipart/form-data; boundary=x', ''],
  ])('refuses a body with %s', (_, type, body) => {
    expect(readMultipart(bytes(body), type)).toBeUndefined()
  })

  it.each<[type: string, body: string]>([
    ['multipart/form-data; boundary="a b"', '--a b\r\ncontent-disposition:form-data;name=q\r\n\r\n1\r\n--a b--'],
    ['multipart/form-data;charset=utf-8; Boundary=x', 'preamble\r\n--x\r\nX: y\r\nContent-Disposition: form-data; name="q"\r\n\r\n1\r\n--x--\r\nepilogue'],
    ['multipart/form-data; boundary=x', '--x\r\nX: y\r\n\r\nno name\r\n--x\r\nContent-Disposition: form-data; filename="name=f"; name="q"\r\n\r\n1\r\n--x--'],
  ])('reads %s %j', (type, body) => {
    expect(readMultipart(bytes(body), type)!.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)])).toEqual([['q', '1']])
  }) // prettier-ignore

  it('never throws', () => {
    const piece = fc.constantFrom(
      '--x',
      '--',
      '\r\n',
      '\r\n\r\n',
      'Content-Disposition: form-data; name="a"',
      '"',
      'é',
      ';',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        readMultipart(bytes(pieces.join('')), 'multipart/form-data; boundary=x')
      }),
    )
  })
})
