import { diagnoseFile } from '../../core/diagnostics/file-texts.ts'
import type { KeyPath } from '../../core/fixture/route.ts'
import { isTooDeep, reasonOf } from '../../core/values/thrown.ts'
import type { Source } from '../source.ts'
import { parseSimpleYaml } from './parse-simple-yaml.ts'
import { YamlError, type YamlMap, type YamlNode, type YamlPair } from './yaml-node.ts'
import { keyName, toValue } from './yaml-value.ts'

/** Maximum characters of a YAML file. More would block the dev server for seconds. */
const maxLength = 20_000_000
/** Maximum characters for the slower parser. */
const maxSlowLength = 2_000_000

/**
 * Reads YAML 1.2, with the position of every key and value. There are two parsers: a fast one, and one that explains errors
 * and reads everything. It takes longer to import than a fixture file takes to read, so it is imported with the first text
 * that needs it.
 */
export async function readYaml(text: string, file: string): Promise<Source> {
  return readSimpleYaml(text, file) ?? readWith((await import('./parse-yaml.ts')).parseYaml, text, file)
}

/** Reads a text with the fast parser. `undefined` if it needs the other one. */
export function readSimpleYaml(text: string, file: string): Source | undefined {
  if (text.length > maxLength) return tooLarge(file, maxLength)
  try {
    const root = parseSimpleYaml(text)
    return readWith(() => root, text, file)
  } catch (error) {
    if (text.length <= maxSlowLength) return undefined
    return error instanceof YamlError
      ? failed(error, createLocator(text), file)
      : tooLarge(file, maxSlowLength)
  }
}

function tooLarge(file: string, limit: number): Source {
  return { diagnostic: diagnoseFile('fixture-too-large', { file }, { limit }) }
}

/** Reads a text with a parser. */
export function readWith(parse: (text: string) => YamlNode | undefined, text: string, file: string): Source {
  const place = createLocator(text)
  try {
    const root = parse(text)
    const { value, hasUnusualNumber } = toValue(root)
    return {
      value,
      locate: (path, target) => place(findPart(root, path, target).offset),
      written: hasUnusualNumber ? (path) => writtenNumber(findPart(root, path, 'value').node) : undefined,
    }
  } catch (error) {
    if (error instanceof YamlError) return failed(error, place, file)
    if (!isTooDeep(error)) throw error
    return { diagnostic: diagnoseFile('fixture-too-complex', { file }, { reason: reasonOf(error) }) }
  }
}

function failed({ message: reason, fix, offset, code }: YamlError, place: Locator, file: string): Source {
  return { diagnostic: diagnoseFile(code, { file, ...place(offset) }, { reason, fix }) }
}

type Locator = (offset: number) => { line: number; column: number }

/** Turns offsets into positions. The lines are counted when the first position is needed. */
function createLocator(text: string): Locator {
  let starts: number[] | undefined
  return (offset) => {
    if (!starts) {
      starts = []
      for (let start = 0; start >= 0; start = text.indexOf('\n', start) + 1 || -1) starts.push(start)
    }
    let line = 0
    for (let end = starts.length; line < end - 1;) {
      const middle = (line + end) >> 1
      if (starts[middle]! <= offset) line = middle
      else end = middle
    }
    return { line: line + 1, column: offset - starts[line]! + 1 }
  }
}

function writtenNumber(node: YamlNode | undefined): string | undefined {
  return node?.type === 'scalar' && typeof node.value === 'number' ? node.source : undefined
}

/** The entry of a map with a key: its own, or one that is merged into it. */
function findPair(map: YamlMap, key: string): YamlPair | undefined {
  const own = map.pairs.find((pair) => !isMergeKey(pair.key) && keyName(pair.key) === key)
  if (own) return own
  for (const { key: name, value } of map.pairs) {
    if (!isMergeKey(name)) continue
    const target = targetOf(value)
    for (const source of target?.type === 'list' ? target.items : [target]) {
      const merged = targetOf(source)
      const found = merged?.type === 'map' && findPair(merged, key)
      if (found) return found
    }
  }
  return undefined
}

function isMergeKey(key: YamlNode | undefined): boolean {
  return key?.type === 'scalar' && key.isMergeKey === true
}

function targetOf(node: YamlNode | undefined): YamlNode | undefined {
  return node?.type === 'alias' ? node.target : node
}

/** The deepest part of a path that the document has, and where it is. `node` is set if that is the whole path. */
function findPart(
  root: YamlNode | undefined,
  path: KeyPath,
  target: 'key' | 'value',
): { offset: number; node?: YamlNode | undefined } {
  let node = root
  let offset = node?.offset ?? 0
  for (const [depth, key] of path.entries()) {
    const parent = targetOf(node)
    if (parent?.type === 'map') {
      const pair = findPair(parent, String(key))
      if (!pair) return { offset }
      const isLast = depth === path.length - 1
      node = pair.value
      offset = (isLast && target === 'key' ? pair.key : node)?.offset ?? offset
    } else if (parent?.type === 'list' && Number(key) in parent.items) {
      node = parent.items[Number(key)]
      offset = node?.offset ?? offset
    } else return { offset }
  }
  return { offset, node: targetOf(node) }
}
