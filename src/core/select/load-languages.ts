import { neededLanguages, type Languages } from './needed-languages.ts'
import type { CompilePattern } from './pattern.ts'
import type { ReadDocument } from './selector-document.ts'

/** Imports the files of the languages. It is in the caller's file: bundlers leave out an `import()` only with its file. */
interface ImportLanguages {
  patterns: () => Promise<{ compilePattern: CompilePattern }>
  documents: () => Promise<{ readSelectorDocument: ReadDocument }>
}

/** Imports what the selectors in the value of a fixture file need. */
export async function loadLanguages(
  content: unknown,
  { patterns, documents }: ImportLanguages,
): Promise<Languages> {
  const needed = neededLanguages(content)
  const languages: Languages = {}
  if (needed.compilePattern) languages.compilePattern = (await patterns()).compilePattern
  if (needed.readDocument) languages.readDocument = (await documents()).readSelectorDocument
  return languages
}
