import { randomBytes } from 'node:crypto'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectCpuTimeOf } from '../../cpu-time.ts'
import { decodeBody } from '../../../src/wire/node/read-body.ts'
import { decodeWebBody } from '../../../src/wire/web/read-web-body.ts'
import { sampling } from '../../sampling.ts'

const sample = Buffer.from('{"a":"é"}'.repeat(100))
const decoders = [
  {
    name: 'Node',
    decode: (...args: Parameters<typeof decodeBody>) => Promise.resolve(decodeBody(...args)),
    br: true,
  },
  { name: 'the platform', decode: decodeWebBody, br: canDecompress('brotli') },
]
const encoders: Record<string, (bytes: Uint8Array) => Buffer> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  'deflate (bare)': (bytes) => deflateRawSync(bytes),
}
const codingOf = (encoder: string) => encoder.replace(' (bare)', '')

describe.each(decoders)('with what $name has', ({ decode, br }) => {
  it('a body without a content encoding is returned unchanged', async () => {
    for (const headers of [{}, { 'content-encoding': '' }, { 'content-encoding': 'identity' }]) {
      expect(await decode(sample, headers, sample.length)).toEqual({ kind: 'complete', bytes: sample })
    }
  })

  it('every coding is decoded, up to the last byte of the limit', async () => {
    const encoder = fc.constantFrom(...Object.keys(encoders))
    const property = fc.asyncProperty(
      fc.uint8Array({ maxLength: 2000 }),
      fc.array(encoder, { maxLength: 4 }),
      async (bytes, applied) => {
        const encoded = applied.reduce<Buffer>((body, name) => encoders[name]!(body), Buffer.from(bytes))
        const headers = { 'content-encoding': applied.map(codingOf).join(', ') }
        // Incompressible bytes grow when they are encoded.
        const read = await decode(encoded, headers, bytes.length + 500)
        expect(read).toHaveProperty('bytes')
        expect(Buffer.from((read as { bytes: Uint8Array }).bytes).equals(bytes)).toBe(true)
      },
    )
    await fc.assert(property, sampling(15))
  })

  it.each(Object.keys(encoders))('%s: the limit counts what was decoded', async (name) => {
    const headers = { 'content-encoding': codingOf(name) }
    const encoded = encoders[name]!(sample)
    expect(await decode(encoded, headers, sample.length)).toHaveProperty('bytes')
    expect(await decode(encoded, headers, sample.length - 1)).toEqual({
      kind: 'too-large',
      limit: sample.length - 1,
    })
    expect(await decode(encoded, headers, 0)).toEqual({ kind: 'too-large', limit: 0 })
  })

  it('a zip bomb is decoded no further than the limit', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(40_000_000)))
    const before = process.memoryUsage().arrayBuffers
    await expectCpuTimeOf(1000, async () => {
      const read = await decode(bomb, { 'content-encoding': 'gzip, gzip' }, 1000)
      expect(read).toMatchObject({ kind: 'too-large' })
    })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000)
  })

  it('br is decoded where the runtime supports it', async () => {
    const read = await decode(brotliCompressSync(sample), { 'content-encoding': 'br' }, 10_000)
    if (br) expect(Buffer.from((read as { bytes: Uint8Array }).bytes).equals(sample)).toBe(true)
    else expect(read).toMatchObject({ kind: 'encoding-unknown', accepted: ['gzip', 'deflate'] })
  })

  it.each(['compress', 'gzip, toString', '__proto__', 'gzip,gzip,gzip,gzip,gzip'])(
    '%s is unknown',
    async (encoding) => {
      expect(await decode(sample, { 'content-encoding': encoding }, 10_000)).toMatchObject({
        kind: 'encoding-unknown',
        accepted: expect.arrayContaining(['gzip', 'deflate']) as string[],
      })
    },
  )

  it('any bytes are decoded, or refused with a reason', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...Object.keys(encoders)),
      fc.nat({ max: 60 }),
      fc.nat({ max: 255 }),
      fc.boolean(),
      async (name, at, byte, cut) => {
        const encoded = encoders[name]!(sample)
        const place = at % encoded.length
        const damaged = cut ? encoded.subarray(0, place) : Buffer.from(encoded).fill(byte, place, place + 1)
        const read = await decode(damaged, { 'content-encoding': codingOf(name) }, 10_000)
        expect('bytes' in read || read.kind === 'encoding-corrupt' || read.kind === 'too-large').toBe(true)
        if ('kind' in read && read.kind === 'encoding-corrupt') expect(read.reason).toMatch(/\w/)
      },
    )
    await fc.assert(property, sampling(30))
    for (let length = 1; length < 50; length++)
      await decode(randomBytes(length), { 'content-encoding': 'deflate, gzip' }, 10_000)
  })

  it('an unknown charset is refused before decoding', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain; charset=klingon' }
    expect(await decode(sample, headers, 10_000)).toEqual({ kind: 'charset-unknown', charset: 'klingon' })
  })
})

function canDecompress(format: string): boolean {
  try {
    return Boolean(new DecompressionStream(format as CompressionFormat))
  } catch {
    return false // Node before 24.7
  }
}
