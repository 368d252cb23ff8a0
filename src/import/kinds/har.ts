import { createReadStream, statSync } from 'node:fs'
import { JSONParser } from '@streamparser/json'
import { formatSize } from '../../core/values/describe-value.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import type { Exchange } from '../../writer/exchange/exchange.ts'
import { inOrder, readWanted, type HarEntry } from '../../writer/har/har-entry.ts'
import { apiTypes, type HarFilter } from '../../writer/har/har-filter.ts'
import { Omissions } from '../../writer/omissions.ts'
import { writeExchanges } from '../exchanges.ts'
import type { ImportContext, Imported } from '../imported.ts'
import type { ImportSource } from '../source.ts'

export function isHar(source: ImportSource): boolean {
  // It may be too large to be parsed.
  return !source.isModule && /^\s*\{\s*"log"\s*:\s*\{/.test(source.head)
}

export async function importHar(sources: readonly ImportSource[], context: ImportContext): Promise<Imported> {
  const { url, only = apiTypes, origin, progress } = context
  const skipped = new Omissions()
  const exchanges: Exchange[] = []
  for (const source of sources)
    exchanges.push(...(await readHar(source, { url, only, origin }, skipped, progress)))
  if (exchanges.length === 0) context.note('The file has no API requests. --only imports other types.')
  return writeExchanges(exchanges, skipped, context)
}

/** Bytes of bodies: only they limit the size of a HAR file. */
const maxKept = 300_000_000

/**
 * The exchanges in the order in which they started. The file is read in pieces, so that a large one takes little memory.
 *
 * @throws Error when the file can't be read, or is not a HAR file
 */
export async function readHar(
  source: ImportSource,
  filter: HarFilter,
  omissions: Omissions,
  progress: ImportContext['progress'],
): Promise<Exchange[]> {
  const { name } = source
  const found: HarEntry[] = []
  let count = 0
  let kept = 0
  const parser = new JSONParser({ paths: ['$.log.entries.*'], keepStack: false })
  parser.onValue = ({ value: entry }) => {
    count++
    const read = readWanted(entry, count, { filter, omissions, readBody: (name) => source.readNear(name) })
    if (!read) return
    kept += read.exchange.responseBody.length + (read.exchange.requestBody?.length ?? 0)
    found.push(read)
    if (kept > maxKept) throw new TooLarge()
  }
  const broken = await whyBroken(parser, source, progress)
  if (count === 0)
    throw new Error(
      broken === undefined
        ? `${name} has no requests. In a HAR file, they are in "log.entries".`
        : `${name} is not a HAR file: ${broken}`,
    )
  if (broken !== undefined)
    omissions.add('the rest of the file', `it ends in the middle, after ${count} entries`, name)
  return inOrder(found)
}

class TooLarge extends Error {
  constructor() {
    super(`The bodies in the HAR file have more than ${maxKept / 1e6} MB. Import it in parts, with --url.`)
  }
}

async function whyBroken(
  parser: JSONParser,
  source: ImportSource,
  progress: ImportContext['progress'],
): Promise<string | undefined> {
  let failure: Error | undefined
  parser.onError = (error) => void (failure ??= error) // also what `onValue` has thrown
  let isFirst = true
  let size = 0
  const { path } = source
  const whole = path === undefined ? 0 : statSync(path).size
  const pieces =
    path === undefined ? [Buffer.from(source.text)] : createReadStream(path, { highWaterMark: 262_144 })
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    const hasMark = isFirst && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf
    isFirst = false
    size += piece.length
    progress(() => `Reading: ${formatSize(size)} of ${formatSize(whole)}`)
    if (!parser.isEnded) parser.write(hasMark ? piece.subarray(3) : piece)
    if (failure) break
  }
  if (failure instanceof TooLarge) throw failure
  if (failure)
    return reasonOf(failure)
      .replaceAll('"', '')
      .replace(/ in state .*$/, '') // of the parser, which says nothing to a reader
      .replace(/chunk position \d+ \(absolute (.*)\)/, '$1')
  return parser.isEnded ? undefined : 'its JSON has no end'
}
