import { resolve } from 'node:path'
import { codeFrame } from '../core/diagnostics/format.ts'
import type { SourceLocation } from '../core/diagnostics/diagnostic.ts'
import type { FixtureFile, Route } from '../core/fixture/route.ts'
import { getOrMake } from '../core/values/collections.ts'
import { keysOfPointer, toPointer, type KeyPath } from '../core/values/values.ts'
import { readCode } from './locate-in-code.ts'
import { isDataFile } from './find/fixture-names.ts'
import { readData } from '../reader/read-data.ts'
import { readText } from './read/read-text.ts'

type FramedLocation = SourceLocation & { frame?: string }

/** The position of a route's key in its file; for a missing key, that of the object around it. */
export type LocateInRoute = (route: Route, path: KeyPath) => Promise<FramedLocation>

export function createLocate(root: string): LocateInRoute {
  const files = new Map<string, ReturnType<typeof openFile>>()
  return async ({ source }, path) => {
    const { file, pointer = '' } = source
    const found = await getOrMake(files, file, () => openFile(root, file))
    const start = keysOfPointer(pointer)
    const keys = [...start.map((key) => (/^\d+$/.test(key) ? Number(key) : key)), ...path]
    const place = found?.locate?.(keys, 'key')
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
): Promise<{ text: string; locate: FixtureFile['locate'] | undefined } | undefined> {
  const path = resolve(root, file)
  try {
    const text = readText(path)
    if (!isDataFile(path)) return { text, locate: readCode(text, path) }
    const source = await readData(text, file)
    return 'locate' in source ? { text, locate: source.locate } : undefined
  } catch {
    return undefined
  }
}
