import type { OwnLinks } from './own-links.ts'
import type { Omission } from '../omissions.ts'

/** A request and its real answer, recorded by a proxy, read from a HAR file, or made from an OpenAPI document. */
export interface Exchange {
  method: string
  /** Absolute, or beginning with `/`. */
  url: string
  /** Headers in any case and order; a repeated header has several entries. */
  requestHeaders: readonly Header[]
  requestBody?: Uint8Array | undefined
  status: number
  responseHeaders: readonly Header[]
  /** Bytes without content codings such as `gzip`. */
  responseBody: Uint8Array
  ownLinks?: OwnLinks | undefined
  /** Whether it is asked of another origin than the application's own: its routes have a `url`. */
  isElsewhere?: boolean
  saved?: SavedAnswer | undefined
}

/** Name and place that someone has saved an answer with. */
export interface SavedAnswer {
  /** Name of its route, and of its scenario if only the name tells it from another one. */
  name: string
  /** The fixture file, without its extension. */
  file?: string | undefined
  /** Segments of the path that are parameters, by their index. */
  params: readonly (PathParameter | undefined)[]
}

export interface PathParameter {
  name: string
  /** Whether the URL has a value of it, and not just any. */
  isKnown: boolean
}

export type Header = readonly [name: string, value: string]

export interface WriteOptions {
  /** Paths of GraphQL endpoints, as in the option `graphql.path`. Default `/graphql`. */
  graphqlPaths?: readonly string[] | undefined
  /** The option `base`: a prefix that is taken off the paths. Default: none. */
  base?: string | undefined
}

/** Does not depend on the order of the exchanges. */
export interface WrittenFixtures {
  files: WrittenFile[]
  omitted: Omission[]
  /** The number of exchanges that are answered as they were. */
  answered: number
}

export interface WrittenFile {
  /** Relative to the folder of the fixtures, with `/`: `orders-id.yaml`. */
  path: string
  content: string | Uint8Array
  /** The number of routes; 0 for a body. */
  routes: number
  /** Paths of its bodies. */
  bodies?: readonly string[]
}
