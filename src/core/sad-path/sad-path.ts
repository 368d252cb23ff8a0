import type { GraphQLParams } from '../graphql/params.ts'
import type { DocumentChecker } from '../graphql/result.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import type { AddedError } from '../schema/fault-schema.ts'
import type { PatchEntry } from '../values/patch.ts'

/** Kinds in the order of the list: one of each, then the second of each, and so on. */
export const sadPathKinds = [
  /** An HTTP status above 399. */
  'status',
  /** A field, an item or an object is null; in GraphQL, with an error. */
  'null',
  /** A list has no item, or one. */
  'list',
  /** A list in pages is empty, ends, never ends, repeats or loses items, or fails later. */
  'page',
  /** GraphQL: errors without data. */
  'error',
  /** A field is not there; in GraphQL, it is null without an error. */
  'missing',
  /** The body is none, HTML, malformed or truncated. */
  'body',
  /** The answer is late, or comes after the next one. */
  'slow',
  /** The connection is reset, or nothing is ever sent. */
  'connection',
  /** A text is empty, a number 0, an object without keys. */
  'empty',
  /** A text is very long. */
  'long',
] as const
export type SadPathKind = (typeof sadPathKinds)[number]

/** Who asks: an endpoint, or one operation of a GraphQL endpoint. */
export interface Subject {
  method: string
  /** The route's path: `/orders/:id`. */
  path: string
  operationName?: string | undefined
}

/** Changes of an answer: with `body` its whole body, else parts of it. */
export interface SadChange extends Pick<FixtureResponse, 'status' | 'headers' | 'fault'> {
  body?: unknown
  patch?: readonly PatchEntry[]
  errors?: readonly AddedError[]
  /** Milliseconds in addition to the answer's own delay. */
  delay?: number
  /** Only every second answer, beginning with the first. */
  isAlternating?: boolean
}

/** One way in which an answer goes wrong. */
export interface SadPath extends Subject {
  /** Id that is the same in each run: `GET /orders #null data[].id`. */
  id: string
  /** One sentence. */
  title: string
  kind: SadPathKind
  /** `GET /orders`, `POST /graphql Hero`. */
  request: string
  /** `undefined` if this request is not the one that fails. */
  change: SadChange | undefined
  /** The last item of the page, if the next page has it again. */
  lastItem?: unknown
}

/** An answer, with what is known of its request. */
export interface Answered {
  subject: Subject
  status: number
  /** The body as JSON; absent without a body, and for one that is not JSON. */
  json?: { value: unknown } | undefined
  graphql?: { params: GraphQLParams; checker: DocumentChecker | undefined } | undefined
  isLaterPage: boolean
  /** The `lastItem` of the page before. */
  itemBefore?: unknown
  /** The body of an answer with this status in the fixtures, or with one like it. */
  errorBody: (status: number) => unknown
}

/** A sad path without its id, from which `sadPathsOf` makes one. */
export interface Draft extends Pick<SadPath, 'kind' | 'title' | 'change' | 'lastItem'> {
  /** Unique among drafts of the same kind. */
  name: string
}

export function draft(kind: SadPathKind, name: string, title: string, change: SadPath['change']): Draft {
  return { kind, name, title, change }
}

export function requestName({ method, path, operationName }: Subject): string {
  return `${method} ${path}${operationName === undefined ? '' : ` ${operationName}`}`
}

/** The request in an id; `undefined` for what is not one. A path has no `#`. */
export function requestOfId(id: string): string | undefined {
  const [, request, kind] = /^(\S+ \S+(?: \S+)?) #(\w+)(?: .+)?$/s.exec(id) ?? []
  return sadPathKinds.some((known) => known === kind) ? request : undefined
}

export function isSadPathOf(id: string, endpoint: Pick<Subject, 'method' | 'path'>): boolean {
  return `${requestOfId(id)} `.startsWith(`${requestName(endpoint)} `)
}
