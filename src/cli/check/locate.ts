import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { codeFrame } from '../../core/diagnostics/format.ts'
import type { SourceLocation } from '../../core/diagnostics/diagnostic.ts'
import type { FixtureFile, KeyPath, Route } from '../../core/fixture/route.ts'
import { isDataFile, readData } from '../../loader/read/read-data.ts'
import { findExported, keyOf, parseCode, unwrap, type Code, type Node } from '../code/code.ts'

type Place = SourceLocation & { frame?: string }

interface FixtureText {
  text: string
  locate: FixtureFile['locate']
}

/** Finds the position of a key of a route in its fixture file; if the key does not exist, that of the object around it. */
export type Locate = (route: Route, path: KeyPath) => Promise<Place>

/** Makes a function that reads each file once. */
export function createLocate(root: string): Locate {
  const files = new Map<string, Promise<FixtureText | undefined>>()
  return async ({ source }, path) => {
    const { file, pointer = '' } = source
    let read = files.get(file)
    if (!read) files.set(file, (read = readText(root, file)))
    const found = await read
    if (!found) return source
    const start = pointer
      .split('/')
      .slice(1)
      .map((key) => (/^\d+$/.test(key) ? Number(key) : key))
    const place = found.locate([...start, ...path], 'key')
    if (place.line === undefined) return source
    const own = [...start, ...path].map(
      (key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    )
    return { file, ...place, pointer: own.join(''), frame: codeFrame(found.text, place.line, place.column) }
  }
}

async function readText(root: string, file: string): Promise<FixtureText | undefined> {
  const path = resolve(root, file)
  try {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
    if (!isDataFile(path)) {
      const code = parseCode(text, path)
      return code && { text, locate: (keys) => locateInCode(text, code, keys) }
    }
    const source = await readData(path, file, text)
    return 'locate' in source ? { text, locate: source.locate } : undefined
  } catch {
    return undefined
  }
}

/** The position of a key in a module that exports a literal list. Lists that code makes have none. */
function locateInCode(text: string, code: Code, keys: KeyPath): { line?: number; column?: number } {
  let node = findExported(code)?.node
  let at: Node | undefined
  for (const key of keys) {
    const next = node && child(node, key)
    if (!next) break
    at = next.at
    node = unwrap(next.value)
  }
  if (!at) return {}
  const before = text.slice(0, at.start).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}

function child(
  { type, elements, properties }: Node,
  key: string | number,
): { at: Node; value: Node } | undefined {
  if (type === 'ArrayExpression') {
    const index = Number(key)
    const list = elements as (Node | null)[]
    const item = list[index]
    const isKnown = item && !list.slice(0, index + 1).some((one) => one?.type === 'SpreadElement')
    return isKnown ? { at: item, value: item } : undefined
  }
  if (type !== 'ObjectExpression') return undefined
  const property = (properties as Node[]).findLast((one) => keyOf(one) === String(key))
  return property && { at: property, value: property['value'] as Node }
}
