/* How the API of a language model writes an answer: event by event, or as a whole. */

/** A part of an answer: consecutive texts of one kind, or the call of a tool. */
export interface Block {
  kind: 'text' | 'thinking' | 'refusal' | 'tool'
  index: number
  id: string
  text: string
  /** Tools: its name, and what it is called with. */
  name: string
  input: unknown
  /** Tools that the server itself has called: the result. */
  output?: unknown
}

export interface ModelError {
  type: string
  message: string
  status: number
}

export interface ModelAnswer {
  /** Short text that only the same request gives again. */
  seed: string
  /** The name that the client has asked for. */
  model: string
  blocks: Block[]
  /** Why it ends, in the end as the API calls it. */
  finish: string
  usage: { input: number; output: number; thinking: number }
}

export interface ModelFormat {
  headers?: Record<string, string>
  /** Whether events have the name of their `type`. */
  isNamed?: boolean
  /** Sent after the last event of a complete answer. */
  last?: string
  /** Names of reasons as the API calls them; others are sent as given. */
  reasons?: Record<string, string>
  begin: (answer: ModelAnswer) => object[]
  open: (block: Block, answer: ModelAnswer) => object[]
  piece: (block: Block, text: string, answer: ModelAnswer) => object[]
  close: (block: Block, answer: ModelAnswer) => object[]
  end: (answer: ModelAnswer) => object[]
  /** Events of an error in the middle of an answer. */
  fail: (error: ModelError, answer: ModelAnswer) => object[]
  /** Makes an event of an object that is not one of our lines. Default: it is the event. */
  raw?: (given: object, answer: ModelAnswer) => object
  /** Makes the body of an answer without events; absent if there is none. */
  whole?: (answer: ModelAnswer) => object
  /** Makes the body of an error in place of the answer. */
  errorBody: (error: ModelError) => unknown
  /** Headers of an answer to more requests than the limit allows. */
  limitHeaders?: (limit: { requests: number; seconds: number; resetAt: number }) => Record<string, string>
}

export function textOfKind(kind: Block['kind'], { blocks }: ModelAnswer): string | undefined {
  const own = blocks.filter((block) => block.kind === kind)
  return own.length > 0 ? own.map(({ text }) => text).join('') : undefined
}
