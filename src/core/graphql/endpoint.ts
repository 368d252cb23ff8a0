import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { DocumentChecker } from './checker.ts'
import { createDocumentReader, type DocumentReader } from './document.ts'
import type { GraphQLSettings } from './settings.ts'
import type { AnswerCache } from './answer-cache.ts'
import { createAnswerCache } from './answer-cache.ts'

/** What an endpoint needs to answer GraphQL requests. */
export interface GraphQLEndpoint extends GraphQLSettings {
  read: DocumentReader
  checker: DocumentChecker | undefined
  /** Why there is no schema although one was asked for: then nothing is answered, rather than something unchecked. */
  schemaFault: Diagnostic | undefined
  answers: AnswerCache
}

export function createGraphQLEndpoint(
  settings: GraphQLSettings,
  checker?: DocumentChecker,
  schemaFault?: Diagnostic,
): GraphQLEndpoint {
  return {
    ...settings,
    read: createDocumentReader(settings),
    checker,
    schemaFault,
    answers: createAnswerCache(),
  }
}
