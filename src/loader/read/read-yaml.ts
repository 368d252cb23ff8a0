import { isAlias, isCollection, isMap, isPair, isScalar, isSeq, LineCounter } from 'yaml'
import type { Document, Pair, YAMLMap, YAMLSeq } from 'yaml'
import { diagnose } from '../../core/diagnostics/diagnostic.ts'
import type { KeyPath } from '../../core/fixture/route.ts'
import { isTooDeep, reasonOf } from '../../core/values/thrown.ts'
import type { Source } from '../source.ts'
import { parseYaml } from './parse-yaml.ts'
import { findAliasTargets, isMergeKey, keyName, startOf, toValue, YamlError } from './yaml-value.ts'
import type { AliasTargets } from './yaml-value.ts'
import { splitList } from './yaml-chunks.ts'

/** Maximum characters of a YAML file. Much more would block the dev server for minutes. */
const maxLength = 20_000_000
/** The maximum for a text that can't be split, which needs more time and much more memory. */
const maxWholeLength = 2_000_000

/** Reads YAML 1.2, with the position of every key and value. */
export function readYaml(text: string, file: string): Source {
  const starts = splitList(text)
  const limit = starts ? maxLength : maxWholeLength
  if (text.length > limit) return { diagnostic: diagnose('fixture-too-large', { file }, { limit }) }
  const place = createLocator(text)
  try {
    return starts ? readChunks(text, starts, place) : readWhole(text, place)
  } catch (error) {
    if (error instanceof YamlError) {
      const { message: reason, fix, offset, code } = error
      return { diagnostic: diagnose(code, { file, ...place(offset) }, { reason, fix }) }
    }
    if (!isTooDeep(error)) throw error
    return { diagnostic: diagnose('fixture-too-complex', { file }, { reason: reasonOf(error) }) }
  }
}

type Locator = (offset: number) => { line: number; column: number }

/** Turns offsets into positions. The lines are counted when the first position is needed. */
function createLocator(text: string): Locator {
  let lines: LineCounter | undefined
  return (offset) => {
    if (!lines) {
      lines = new LineCounter()
      for (let start = 0; start >= 0; start = text.indexOf('\n', start) + 1 || -1) lines.addNewLine(start)
    }
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
}

function readWhole(text: string, place: Locator): Source {
  const document = parseYaml(text)
  const targets = findAliasTargets(document)
  const { value, hasUnusualNumber } = toValue(document, targets)
  return {
    value,
    locate: (path, target) => place(findPart(document, targets, path, target).offset),
    written: hasUnusualNumber
      ? (path) => writtenNumber(findPart(document, targets, path, 'value').node)
      : undefined,
  }
}

function writtenNumber(node: unknown): string | undefined {
  return isScalar(node) && typeof node.value === 'number' ? node.source : undefined
}

const noTargets: AliasTargets = new Map()

function readChunks(text: string, starts: readonly number[], place: Locator): Source {
  const value: unknown[] = []
  /** Where each entry of the list is, and in which chunk. Positions inside it need the chunk to be parsed again. */
  const entries: { offset: number; chunk: number }[] = []
  /** The index of the first entry of each chunk. */
  const firsts: number[] = []
  /** The chunks with numbers that JavaScript writes differently. */
  const unusual = new Set<number>()
  const textOf = (chunk: number) => text.slice(starts[chunk], starts[chunk + 1])
  for (const [chunk, start] of starts.entries()) {
    firsts.push(entries.length)
    try {
      const document = parseYaml(textOf(chunk))
      for (const item of (document.contents as YAMLSeq).items)
        entries.push({ offset: start + (startOf(item) ?? 0), chunk })
      const part = toValue(document, noTargets)
      for (const entry of part.value as unknown[]) value.push(entry)
      if (part.hasUnusualNumber) unusual.add(chunk)
    } catch (error) {
      if (!(error instanceof YamlError)) throw error
      throw new YamlError(error.message, error.fix, start + error.offset, error.code)
    }
  }
  // Diagnostics come in the order of the list, so the last parsed chunk is kept.
  let parsed: { chunk: number; document: Document } | undefined
  const find = ([index, ...path]: KeyPath, target: 'key' | 'value') => {
    const { chunk } = entries[index as number]!
    if (parsed?.chunk !== chunk) parsed = { chunk, document: parseYaml(textOf(chunk)) }
    const { offset, node } = findPart(
      parsed.document,
      noTargets,
      [Number(index) - firsts[chunk]!, ...path],
      target,
    )
    return { offset: starts[chunk]! + offset, node }
  }
  return {
    value,
    locate(path, target) {
      const entry = entries[path[0] as number]
      if (!entry) return place(starts[0]!)
      return place(path.length === 1 ? entry.offset : find(path, target).offset)
    },
    written: (path) => {
      const entry = entries[path[0] as number]
      return entry && unusual.has(entry.chunk) ? writtenNumber(find(path, 'value').node) : undefined
    },
  }
}

/** The entry of a map with a key: its own, or one that is merged into it. */
function findPair(map: YAMLMap, key: string, targets: AliasTargets): Pair | undefined {
  const own = map.items.find(
    (pair) => !isMergeKey(pair.key) && keyName(isAlias(pair.key) ? targets.get(pair.key) : pair.key) === key,
  )
  if (own) return own
  for (const { key: name, value } of map.items) {
    if (!isMergeKey(name)) continue
    const target = isAlias(value) ? targets.get(value) : value
    for (const source of isSeq(target) ? target.items : [target]) {
      const merged = isAlias(source) ? targets.get(source) : source
      const found = isMap(merged) && findPair(merged, key, targets)
      if (found) return found
    }
  }
  return undefined
}

/** The deepest part of a path that the document has, and where it is. `node` is set if that is the whole path. */
function findPart(
  document: Document,
  targets: AliasTargets,
  path: KeyPath,
  target: 'key' | 'value',
): { offset: number; node?: unknown } {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const [depth, key] of path.entries()) {
    if (isAlias(node)) node = targets.get(node)
    if (!isCollection(node)) return { offset }
    const item = isMap(node) ? findPair(node, String(key), targets) : node.items[Number(key)]
    if (item === undefined) return { offset }
    const isLast = depth === path.length - 1
    const value = isPair(item) ? item.value : item
    offset = startOf(isPair(item) && isLast && target === 'key' ? item.key : value) ?? offset
    node = value
  }
  return { offset, node: isAlias(node) ? targets.get(node) : node }
}
