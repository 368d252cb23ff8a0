/* What a page and the worker say to each other. */

/** What a page sends to a worker. */
export type PageMessage =
  /** Asks which build the worker is from. It answers over the port with a `VersionMessage`. */
  | { type: 'mock-api:version' }
  /** Asks to control the page, which a reload with the Shift key leaves without a worker. */
  | { type: 'mock-api:claim' }
  /** Keeps the worker running, and so the counts of sequences and rate limits. */
  | { type: 'mock-api:alive' }

export interface VersionMessage {
  version: string
}
