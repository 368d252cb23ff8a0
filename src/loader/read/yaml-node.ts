/*
 * A YAML document: what both parsers make of a text. Offsets are those of the first character, without an anchor or a tag.
 */

export type YamlNode = YamlScalar | YamlList | YamlMap | YamlAlias

export interface YamlScalar {
  type: 'scalar'
  offset: number
  value: string | number | boolean | null
  /** A number as it is written. */
  source?: string | undefined
  /** Whether it is the key `<<`, without quotes. */
  isMergeKey?: boolean
  hasAnchor?: boolean
}

export interface YamlList {
  type: 'list'
  offset: number
  items: (YamlNode | undefined)[]
  hasAnchor?: boolean
}

export interface YamlMap {
  type: 'map'
  offset: number
  pairs: YamlPair[]
  hasAnchor?: boolean
}

/** A key or a value is `undefined` if nothing is written for it. */
export interface YamlPair {
  key: YamlNode | undefined
  value: YamlNode | undefined
}

export interface YamlAlias {
  type: 'alias'
  offset: number
  name: string
  /** The last node before it that has an anchor of this name. */
  target: YamlNode | undefined
}

/** An error in a document: its message, how to fix it, and its offset. */
export class YamlError extends Error {
  constructor(
    message: string,
    readonly fix: string | undefined,
    readonly offset: number,
    readonly code: 'fixture-syntax' | 'fixture-too-complex' = 'fixture-syntax',
  ) {
    super(message)
  }
}
