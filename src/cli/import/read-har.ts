import { createReadStream, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { JSONParser } from '@streamparser/json'
import { formatSize } from '../../core/values/describe-value.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { isReallyInside } from '../../files/links.ts'
import type { Exchange } from '../../writer/exchange/exchange.ts'
import type { Omissions } from '../../writer/omissions.ts'
import type { Progress } from '../terminal.ts'
import { BrokenEntry, inOrder, readWanted, type HarEntry } from '../../writer/har/har-entry.ts'
import type { HarFilter } from '../../writer/har/har-filter.ts'

/** Bytes of bodies: only they limit the size of a HAR file. */
const maxKept = 300_000_000

/**
 * The exchanges in the order in which they started. The file is read in pieces, so that a large one takes little memory.
 *
 * @throws Error when the file can't be read, or is not a HAR file
 */
export async function readHar(
  path: string,
  filter: HarFilter,
  omissions: Omissions,
  progress: Progress,
): Promise<Exchange[]> {
  const found: HarEntry[] = []
  let count = 0
  let kept = 0
  const parser = new JSONParser({ paths: ['$.log.entries.*'], keepStack: false })
  parser.onValue = ({ value: entry }) => {
    count++
    const read = readWanted(entry, count, { filter, omissions, readBody: (name) => readBodyFile(path, name) })
    if (!read) return
    kept += read.exchange.responseBody.length + (read.exchange.requestBody?.length ?? 0)
    found.push(read)
    if (kept > maxKept) throw new TooLarge()
  }
  const broken = await whyBroken(parser, path, progress)
  if (count === 0)
    throw new Error(
      broken === undefined
        ? `${path} has no requests. In a HAR file, they are in "log.entries".`
        : `${path} is not a HAR file: ${broken}`,
    )
  if (broken !== undefined)
    omissions.add('the rest of the file', `it ends in the middle, after ${count} entries`, path)
  return inOrder(found)
}

class TooLarge extends Error {
  constructor() {
    super(`The bodies in the HAR file have more than ${maxKept / 1e6} MB. Import it in parts, with --url.`)
  }
}

async function whyBroken(parser: JSONParser, path: string, progress: Progress): Promise<string | undefined> {
  let failure: Error | undefined
  parser.onError = (error) => void (failure ??= error) // also what `onValue` has thrown
  let isFirst = true
  let size = 0
  for await (const piece of createReadStream(path, { highWaterMark: 262_144 }) as AsyncIterable<Buffer>) {
    const hasMark = isFirst && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf
    isFirst = false
    size += piece.length
    progress(() => `Reading: ${formatSize(size)} of ${formatSize(statSync(path).size)}`)
    if (!parser.isEnded) parser.write(hasMark ? piece.subarray(3) : piece)
    if (failure) break
  }
  if (failure instanceof TooLarge) throw failure
  if (failure) return reasonOf(failure)
  return parser.isEnded ? undefined : 'its JSON has no end'
}

/**
 * Playwright can write bodies to files next to the HAR file. A HAR file of others must not read `.env`, not even
 * through a link.
 */
function readBodyFile(har: string, name: string): Uint8Array {
  const folder = dirname(har)
  const path = join(folder, name)
  if (!isReallyInside(folder, path)) throw new BrokenEntry(`its body is in ${name}, outside of the folder`)
  if (/(?:^|[\\/])\./.test(name)) throw new BrokenEntry(`its body is in ${name}, a hidden file`)
  try {
    if (!statSync(path).isFile()) throw new BrokenEntry(`its body is in ${name}, which is not a file`)
    return readFileSync(path)
  } catch (error) {
    if (error instanceof BrokenEntry) throw error
    throw new BrokenEntry(`its body can't be read: ${reasonOf(error)}`)
  }
}
