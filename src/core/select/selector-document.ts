import { defaultGraphQL } from '../graphql/settings.ts'
import { createDocumentReader, operationOf } from '../graphql/document.ts'
import { documentText } from '../graphql/document-text.ts'

/** See `readSelectorDocument`. */
export type ReadDocument = (query: string) => { text: string; name: string | undefined } | { reason: string }

/** Reads the document of a selector: its normalised text, and the name of its operation if it has one. */
export function readSelectorDocument(query: string): ReturnType<ReadDocument> {
  const document = createDocumentReader(defaultGraphQL)(query)
  const wrong = document.syntaxError ?? document.error
  if (wrong) {
    const [at] = wrong.locations ?? []
    return { reason: `${wrong.message}${at ? ` (line ${at.line}, column ${at.column} of the query)` : ''}` }
  }
  const operation = operationOf({ document })
  if (!operation) return { reason: 'it must have one operation' }
  const text = documentText(document, operation)
  return text === undefined ? { reason: 'it is too large' } : { text, name: operation.name?.value }
}
