import { crc32 } from 'node:zlib'

export interface Frame {
  /** A PNG, as large as the first one and of the same kind. */
  png: Buffer
  milliseconds: number
}

/**
 * An animated PNG that repeats for ever: the pixels of each file become a frame.
 *
 * @see https://www.w3.org/TR/png-3/#apng-frame-based-animation
 */
export function encodeApng(frames: readonly Frame[]): Buffer {
  const [first] = frames
  const head = chunksOf(first!.png).find(({ type }) => type === 'IHDR')!.data
  const parts = [chunk('IHDR', head), chunk('acTL', numbers(frames.length, 0))]
  let sequence = 0
  for (const [index, { png, milliseconds }] of frames.entries()) {
    const chunks = chunksOf(png)
    if (!chunks.some(({ type, data }) => type === 'IHDR' && data.equals(head)))
      throw new Error(`Frame ${index + 1} has another size or another kind of pixels than the first one.`)
    const size = [head.readUInt32BE(0), head.readUInt32BE(4)]
    const time = Buffer.from([milliseconds >> 8, milliseconds & 255, 1000 >> 8, 1000 & 255, 0, 0])
    parts.push(chunk('fcTL', Buffer.concat([numbers(sequence++, ...size, 0, 0), time])))
    for (const { type, data } of chunks) {
      if (type !== 'IDAT') continue
      // The first frame is the picture where nothing moves.
      if (index === 0) parts.push(chunk('IDAT', data))
      else parts.push(chunk('fdAT', Buffer.concat([numbers(sequence++), data])))
    }
  }
  const signature = first!.png.subarray(0, 8)
  return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.alloc(0))])
}

function* readChunks(png: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) }
    at += length + 12
  }
}

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  return [...readChunks(png)]
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([numbers(data.length), content, numbers(crc32(content))])
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4))
  return bytes
}
