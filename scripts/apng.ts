import { crc32 } from 'node:zlib'

export interface Frame {
  /** A PNG of Chromium. All have the same size. */
  png: Buffer
  milliseconds: number
}

/**
 * An animated PNG that repeats for ever. A viewer without animations shows the first frame.
 *
 * @see https://www.w3.org/TR/png-3/#apng-frame-based-animation
 */
export function encodeApng(frames: readonly Frame[]): Buffer {
  const first = chunksOf(frames[0]!.png)
  const head = first.find(({ type }) => type === 'IHDR')!.data
  const size = head.subarray(0, 8)
  const parts = [signature, chunk('IHDR', head), chunk('acTL', numbers(frames.length, 0))]
  let sequence = 0
  for (const { png, milliseconds } of frames) {
    const time = Buffer.from([milliseconds >> 8, milliseconds & 255, 1000 >> 8, 1000 & 255, 0, 0])
    parts.push(chunk('fcTL', Buffer.concat([numbers(sequence++), size, numbers(0, 0), time])))
    for (const { type, data } of chunksOf(png)) {
      if (type !== 'IDAT') continue
      const isFirst = png === frames[0]!.png
      parts.push(isFirst ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(sequence++), data])))
    }
  }
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))])
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const chunks = []
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    })
    at += length + 12
  }
  return chunks
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
