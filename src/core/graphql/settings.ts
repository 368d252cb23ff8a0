import type { Diagnostic } from '../diagnostics.ts'
import type { PreparedResponse } from '../respond.ts'
import type { DocumentChecker } from './checker.ts'
import { createDocumentReader, type DocumentLimits, type DocumentReader } from './document.ts'

/** What the options say of the GraphQL endpoint. */
export interface GraphQLSettings extends DocumentLimits {
  path: string
  /** Whether requests must be what the GraphQL-over-HTTP specification asks for. */
  strict: boolean
  /** Whether `data` is cut to what a request selects, where a route does not say. */
  shape: boolean
}

/** The settings without any option, for tables that are compiled by hand. */
export const defaultGraphQL: GraphQLSettings = {
  path: '/graphql',
  strict: false,
  shape: false,
  maxTokens: 10_000,
  maxDepth: 100,
}

/** What an endpoint needs to answer GraphQL requests. */
export interface GraphQLEndpoint extends GraphQLSettings {
  read: DocumentReader
  checker: DocumentChecker | undefined
  /** Why there is no schema although one was asked for: then nothing is answered, rather than something unchecked. */
  schemaFault: Diagnostic | undefined
  answers: AnswerCache
}

/** Answers that were worked out for an operation. */
export interface AnswerCache {
  get: (key: string) => PreparedResponse | undefined
  set: (key: string, response: PreparedResponse) => void
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

/** Bytes, roughly, that the answers of one endpoint may take. */
const maxKeptBytes = 16_777_216
/** What an entry takes besides its key and its body. */
const entryOverhead = 400

/**
 * Keeps answers up to a number of bytes, those that were asked for last. Two generations: when the young one has half of
 * the bytes, it becomes the old one, and what was the old one is gone at once. (A map whose oldest entry is deleted for
 * each new one is slow: V8 skips all the holes to find it.)
 */
export function createAnswerCache(limit = maxKeptBytes): AnswerCache {
  let young = new Map<string, PreparedResponse>()
  let old = new Map<string, PreparedResponse>()
  let size = 0
  const sizeOf = (key: string, { body }: PreparedResponse) => key.length * 2 + body.length + entryOverhead
  function set(key: string, response: PreparedResponse): void {
    const added = sizeOf(key, response)
    if (added > limit / 8 || young.has(key)) return
    if (size + added > limit / 2) {
      old = young
      young = new Map()
      size = 0
    }
    young.set(key, response)
    size += added
  }
  return {
    get(key) {
      const known = young.get(key)
      if (known) return known
      const older = old.get(key)
      if (older) set(key, older)
      return older
    },
    set,
  }
}
