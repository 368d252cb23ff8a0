import { isRecord } from '../values/values.ts'
import type { CompilePattern } from './pattern.ts'
import type { ReadDocument } from './selector-document.ts'

/**
 * What reads the languages inside selectors. Each is as large as everything else that reads a fixture file, so they are
 * passed, and imported only for a file that needs them.
 */
export interface Languages {
  /** Regular expressions. */
  compilePattern?: CompilePattern | undefined
  /** GraphQL. */
  readDocument?: ReadDocument | undefined
}

type Needed = Record<keyof Languages, boolean>

/** Keys of a route whose values are sent, and hold no selector. */
const contents: readonly string[] = ['response', 'responses', 'paginate']

/** Selectors that are nested more deeply are refused. */
const maxDepth = 500

/** The languages that the selectors in the value of a fixture file may use. */
export function neededLanguages(content: unknown): Needed {
  const needed = { compilePattern: false, readDocument: false }
  look(content, 0, false, needed)
  return needed
}

function look(value: unknown, depth: number, isSelector: boolean, needed: Needed): void {
  if (value instanceof RegExp) needed.compilePattern = true
  else if (typeof value !== 'object' || value === null) return
  // Perhaps a circle, which is left as soon as everything is needed.
  else if (depth > maxDepth) needed.compilePattern = needed.readDocument = true
  else if (!isRecord(value))
    for (const entry of value as unknown[]) look(entry, depth + 1, isSelector, needed)
  else {
    for (const key of Object.keys(value)) {
      if (needed.compilePattern && needed.readDocument) return
      if (!isSelector && contents.includes(key)) continue
      if (key === '$regex') needed.compilePattern = true
      else if (isSelector && key === 'query' && typeof value[key] === 'string') needed.readDocument = true
      else look(value[key], depth + 1, isSelector || key === 'when', needed)
    }
  }
}
