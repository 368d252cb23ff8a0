import { crc32, deflateSync, inflateSync } from 'node:zlib'

export interface Frame {
  /** A PNG of Chromium: 8 bits a channel, not interlaced. All have the same size. */
  png: Buffer
  milliseconds: number
}

interface Pixels {
  width: number
  height: number
  /** Three bytes each. */
  rgb: Buffer
}

/**
 * An animated PNG that repeats for ever, with 256 colours. Of each frame, it has the rectangle that differs from the one before.
 *
 * @see https://www.w3.org/TR/png-3/#apng-frame-based-animation
 */
export function encodeApng(frames: readonly Frame[]): Buffer {
  const all = frames.map(({ png }) => decode(png))
  const { width, height } = all[0]!
  const { palette, indexOf } = choosePalette(all)
  const indexed = all.map(({ rgb }) =>
    Buffer.from(Uint8Array.from({ length: width * height }, (_, at) => indexOf(rgb, at * 3))),
  )
  const head = Buffer.concat([numbers(width, height), Buffer.from([8, 3, 0, 0, 0])])
  const parts = [chunk('IHDR', head), chunk('PLTE', palette), chunk('acTL', numbers(frames.length, 0))]
  let sequence = 0
  for (const [index, { milliseconds }] of frames.entries()) {
    const now = indexed[index]!
    const box = index === 0 ? { x: 0, y: 0, width, height } : changed(indexed[index - 1]!, now, width, height)
    const time = Buffer.from([milliseconds >> 8, milliseconds & 255, 1000 >> 8, 1000 & 255, 0, 0])
    parts.push(chunk('fcTL', Buffer.concat([numbers(sequence++, box.width, box.height, box.x, box.y), time])))
    const rows = Array.from({ length: box.height }, (_, row) => {
      const start = (box.y + row) * width + box.x
      return Buffer.concat([Buffer.from([0]), now.subarray(start, start + box.width)])
    })
    const data = deflateSync(Buffer.concat(rows), { level: 9 })
    // The first frame is the picture where nothing moves.
    parts.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(sequence++), data])))
  }
  return Buffer.concat([frames[0]!.png.subarray(0, 8), ...parts, chunk('IEND', Buffer.alloc(0))])
}

function changed(before: Buffer, now: Buffer, width: number, height: number) {
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (let at = 0; at < now.length; at++) {
    if (before[at] === now[at]) continue
    const [x, y] = [at % width, Math.floor(at / width)]
    ;[left, top, right, bottom] = [
      Math.min(left, x),
      Math.min(top, y),
      Math.max(right, x),
      Math.max(bottom, y),
    ]
  }
  if (right < left) [left, top, right, bottom] = [0, 0, 0, 0]
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}

/** The most frequent colours; every other one becomes the nearest of these. */
function choosePalette(all: readonly Pixels[]) {
  const counts = new Map<number, number>()
  for (const { rgb } of all)
    for (let at = 0; at < rgb.length; at += 3) {
      const colour = rgb.readUIntBE(at, 3)
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
  const colours = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour)
  const kept: number[] = []
  // A colour that is nearly one of those already kept would take the place of another.
  for (const colour of colours)
    if (kept.length < 256 && kept.every((other) => distance(other, colour) > 200)) kept.push(colour)
  const nearest = new Map<number, number>()
  const indexOf = (rgb: Buffer, at: number): number => {
    const colour = rgb.readUIntBE(at, 3)
    const known = nearest.get(colour)
    if (known !== undefined) return known
    const distances = kept.map((other) => distance(other, colour))
    const index = distances.indexOf(Math.min(...distances))
    nearest.set(colour, index)
    return index
  }
  const palette = Buffer.alloc(kept.length * 3)
  kept.forEach((colour, index) => palette.writeUIntBE(colour, index * 3, 3))
  return { palette, indexOf }
}

function distance(a: number, b: number): number {
  return [16, 8, 0].reduce((sum, bits) => sum + (((a >> bits) & 255) - ((b >> bits) & 255)) ** 2, 0)
}

function decode(png: Buffer): Pixels {
  const data: Buffer[] = []
  let [width, height, channels] = [0, 0, 3]
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const content = png.subarray(at + 8, at + 8 + length)
    const type = png.toString('latin1', at + 4, at + 8)
    if (type === 'IHDR')
      [width, height, channels] = [content.readUInt32BE(0), content.readUInt32BE(4), content[9] === 6 ? 4 : 3]
    if (type === 'IDAT') data.push(content)
    at += length + 12
  }
  const lines = inflateSync(Buffer.concat(data))
  const size = width * channels
  const rgb = Buffer.alloc(width * height * 3)
  let above = Buffer.alloc(size)
  for (let y = 0; y < height; y++) {
    const start = y * (size + 1)
    const line = Buffer.from(lines.subarray(start + 1, start + 1 + size))
    for (let x = 0; x < size; x++) {
      const left = x < channels ? 0 : line[x - channels]!
      const corner = x < channels ? 0 : above[x - channels]!
      line[x] = line[x]! + predicted(lines[start]!, left, above[x]!, corner)
    }
    for (let x = 0; x < width; x++) line.copy(rgb, (y * width + x) * 3, x * channels, x * channels + 3)
    above = line
  }
  return { width, height, rgb }
}

/** https://www.w3.org/TR/png-3/#9Filter-types */
function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  const sum = left + up - corner
  const [a, b, c] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
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
