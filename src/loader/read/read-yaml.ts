import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Pair,
  type YAMLMap,
} from 'yaml'
import { diagnose } from '../../core/diagnostics/diagnostic.ts'
import type { KeyPath } from '../../core/fixture/route.ts'
import { isTooDeep, reasonOf } from '../../core/values/thrown.ts'
import { findAliasTargets, isMergeKey, keyName, startOf, toValue, YamlError } from './yaml-value.ts'
import type { AliasTargets } from './yaml-value.ts'
import type { Source } from '../source.ts'

/** Reads YAML 1.2, with the position of every key and value. */
export function readYaml(text: string, file: string): Source {
  const lines = new LineCounter()
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      schema: 'core', // whatever version a directive names: 1.1 has booleans and types that JSON does not have
      merge: true,
      resolveKnownTags: false,
      uniqueKeys: false, // compared where the value is made, in a time that does not grow with the square of the keys
      prettyErrors: false,
    })
    // A tag that means nothing here, such as `!include`, would leave what it stands before as it is.
    const unknownTag = document.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED')
    const error = document.errors[0] ?? unknownTag
    if (error?.code === 'RESOURCE_EXHAUSTION') throw error
    if (error) throw new YamlError(inOurWords(error.message), error.pos[0])
    const targets = findAliasTargets(document)
    return {
      value: toValue(document, targets),
      locate: (path, target) => place(findPart(document, targets, path, target).offset),
      written(path) {
        const { node } = findPart(document, targets, path, 'value')
        return isScalar(node) && typeof node.value === 'number' ? node.source : undefined
      },
    }
  } catch (error) {
    if (error instanceof YamlError) {
      const { message: reason, offset } = error
      return { diagnostic: diagnose('fixture-syntax', { file, ...place(offset) }, { reason }) }
    }
    if (!isTooDeep(error)) throw error
    return { diagnostic: diagnose('fixture-too-complex', { file }, { reason: reasonOf(error) }) }
  }
}

/** What the library says of its own API is of no use to who writes a fixture file. */
function inOurWords(message: string): string {
  if (message.startsWith('Source contains multiple documents'))
    return 'The file holds multiple documents. Write one list, without "---" between its routes'
  return message.replace('tag:yaml.org,2002:', '!!')
}

/** The entry of a map under a key: its own, else one that is merged into it. */
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
