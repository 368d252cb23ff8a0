import type { Omission } from './omissions.ts'

/**
 * A request that was sent to a real server, and its answer: recorded by a proxy, read from a HAR file, or made from an
 * OpenAPI document. Plain data, so that whoever records it decides how it is read and kept.
 */
export interface Exchange {
  method: string
  /** Absolute, or beginning with `/`. */
  url: string
  /** Names and values in any case and order; a repeated header has several entries. */
  requestHeaders: readonly Header[]
  /** Bytes as sent; `undefined` when there are none. */
  requestBody?: Uint8Array | undefined
  status: number
  responseHeaders: readonly Header[]
  /** Bytes with every content coding (`gzip`, `br`, …) undone. */
  responseBody: Uint8Array
}

/** Name and value of one header line. */
export type Header = readonly [name: string, value: string]

export interface WriteOptions {
  /** Paths of GraphQL endpoints, as in the option `graphql.path`. Default `/graphql`. */
  graphqlPaths?: readonly string[] | undefined
  /** The option `base`: a prefix that is taken off the paths. Default: none. */
  base?: string | undefined
}

/** Fixture files for exchanges. The same exchanges give the same files, whatever the order of different requests was. */
export interface WrittenFixtures {
  /** Sorted by path. */
  files: WrittenFile[]
  /** Whatever is in the exchanges and not in the files, each with its reason. */
  omitted: Omission[]
}

export interface WrittenFile {
  /** Relative to the folder of the fixtures, with `/`: `orders-id.yaml`. */
  path: string
  /** YAML of a fixture file, or the bytes of a body that stands beside it. */
  content: string | Uint8Array
  /** The number of routes; 0 for a body. */
  routes: number
}
