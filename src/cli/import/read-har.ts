import { createReadStream, readFileSync, type ReadStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { JSONParser } from '@streamparser/json'
import { reasonOf } from '../../core/values/thrown.ts'
import { isInside } from '../../loader/paths.ts'
import type { Exchange } from '../../writer/exchange.ts'
import type { Omissions } from '../../writer/omissions.ts'
import { BrokenEntry, readEntry, type ReadBody } from './har-entry.ts'
import { describeEntry, whyNotWanted, type HarFilter } from './har-filter.ts'

/** The most bytes of bodies that are kept: a HAR file of any size can be read, but not everything in it at once. */
const maxKept = 300_000_000

/**
 * The exchanges of a HAR file, in the order in which they started. The file is read in pieces, and an entry that is not
 * wanted is dropped at once, so that a large file takes little memory.
 *
 * @throws Error when the file can't be read, or is not a HAR file
 */
export async function readHar(path: string, filter: HarFilter, omissions: Omissions): Promise<Exchange[]> {
  const found: { exchange: Exchange; started: string }[] = []
  let count = 0
  let kept = 0
  const readBody: ReadBody = (name) => readBodyFile(path, name)
  const parser = new JSONParser({ paths: ['$.log.entries.*'], keepStack: false })
  parser.onValue = ({ value: entry }) => {
    count++
    const why = whyNotWanted(entry, filter)
    if (why !== undefined) return omissions.add('a request', why, describeEntry(entry))
    try {
      const read = readEntry(entry, readBody)
      kept += read.exchange.responseBody.length
      found.push(read)
    } catch (error) {
      if (!(error instanceof BrokenEntry)) throw error
      omissions.add(`entry ${count}`, error.message, describeEntry(entry))
    }
    if (kept > maxKept) throw new TooLarge()
  }
  await parseInPieces(parser, createReadStream(path, { highWaterMark: 262_144 }), {
    onBroken(reason) {
      if (count === 0) throw new Error(`${path} is not a HAR file: ${reason}`)
      omissions.add('the rest of the file', `it ends in the middle, after ${count} entries`, path)
    },
  })
  if (count === 0) throw new Error(`${path} has no requests. In a HAR file, they are in "log.entries".`)
  // Entries are in the order in which they ended, in some browsers.
  return found
    .sort((a, b) => (a.started < b.started ? -1 : a.started > b.started ? 1 : 0))
    .map(({ exchange }) => exchange)
}

class TooLarge extends Error {
  constructor() {
    super(`The bodies in the HAR file have more than ${maxKept / 1e6} MB. Import it in parts, with --url.`)
  }
}

async function parseInPieces(
  parser: JSONParser,
  stream: ReadStream,
  { onBroken }: { onBroken: (reason: string) => void },
): Promise<void> {
  let failure: Error | undefined
  // Errors of the syntax are reported by this function, those of `onValue` are thrown.
  parser.onError = (error) => void (failure ??= error)
  let isFirst = true
  for await (const piece of stream as AsyncIterable<Buffer>) {
    const bytes = isFirst ? withoutByteOrderMark(piece) : piece
    isFirst = false
    if (!parser.isEnded) parser.write(bytes)
    if (failure) break
  }
  if (failure instanceof TooLarge) throw failure
  if (failure) onBroken(reasonOf(failure))
  else if (!parser.isEnded) onBroken('its JSON has no end')
}

function withoutByteOrderMark(piece: Buffer): Buffer {
  return piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf ? piece.subarray(3) : piece
}

/** Playwright can write bodies into files beside the HAR file. */
function readBodyFile(har: string, name: string): Uint8Array {
  const folder = dirname(har)
  const path = join(folder, name)
  if (!isInside(folder, path)) throw new BrokenEntry(`its body is in ${name}, outside of the folder`)
  try {
    return readFileSync(path)
  } catch (error) {
    throw new BrokenEntry(`its body can't be read: ${reasonOf(error)}`)
  }
}
