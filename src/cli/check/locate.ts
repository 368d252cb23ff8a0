import { resolve } from 'node:path'
import { codeFrame } from '../../core/diagnostics/format.ts'
import type { SourceLocation } from '../../core/diagnostics/diagnostic.ts'
import type { FixtureFile, Route } from '../../core/fixture/route.ts'
import { getOrMake } from '../../core/values/collections.ts'
import { isDataFile } from '../../loader/find/fixture-names.ts'
import { readData, readText } from '../../loader/read/read-data.ts'
import {
  findExported,
  parseCode,
  positionAt,
  propertyOf,
  unwrap,
  type Code,
  type Node,
} from '../code/code.ts'
import { keysOfPointer, toPointer, type KeyPath } from '../../core/values/values.ts'

type FramedLocation = SourceLocation & { frame?: string }

/** The position of a route's key in its file; for a missing key, that of the object around it. */
export type Locate = (route: Route, path: KeyPath) => Promise<FramedLocation>

export function createLocate(root: string): Locate {
  const files = new Map<string, ReturnType<typeof openFile>>()
  return async ({ source }, path) => {
    const { file, pointer = '' } = source
    const found = await getOrMake(files, file, () => openFile(root, file))
    const start = keysOfPointer(pointer)
    const keys = [...start.map((key) => (/^\d+$/.test(key) ? Number(key) : key)), ...path]
    const place = found?.locate(keys, 'key')
    if (!found || place?.line === undefined) return source
    return {
      file,
      ...place,
      pointer: toPointer(keys),
      frame: codeFrame(found.text, place.line, place.column),
    }
  }
}

async function openFile(
  root: string,
  file: string,
): Promise<{ text: string; locate: FixtureFile['locate'] } | undefined> {
  const path = resolve(root, file)
  try {
    const text = readText(path)
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

/** Lists that code makes have no positions. */
function locateInCode(text: string, code: Code, keys: KeyPath): { line?: number; column?: number } {
  let node = findExported(code)?.node
  let at: Node | undefined
  for (const key of keys) {
    const next = node && child(node, key)
    if (!next) break
    at = next.at
    node = unwrap(next.value)
  }
  return at ? positionAt(text, at.start) : {}
}

function child(node: Node, key: string | number): { at: Node; value: Node } | undefined {
  if (node.type === 'ArrayExpression') {
    const list = (node['elements'] as (Node | null)[]).slice(0, Number(key) + 1)
    const item = list.some((one) => one?.type === 'SpreadElement') ? undefined : list[Number(key)]
    return item ? { at: item, value: item } : undefined
  }
  const property = node.type === 'ObjectExpression' ? propertyOf(node, String(key)) : undefined
  return property && { at: property, value: property['value'] as Node }
}
