import { addToHash, hash32, hashStart } from '../../values/hash.ts'
import { toJson, writtenNumber } from '../../values/exact-number.ts'
import { isRecord } from '../../values/values.ts'
import type { FixtureResponse } from '../../schema/schema.ts'
import type { RateLimit } from '../../schema/fault-schema.ts'
import type { FixtureEvent } from '../../schema/stream-schema.ts'
import type { RawRequest } from '../../http/raw-request.ts'
import { comment, sseFrame, sseType, eventText, type Framing } from '../frames.ts'
import { aiSdk } from './ai-sdk.ts'
import { anthropic } from './anthropic.ts'
import { google } from './google.ts'
import type { Block, ModelAnswer, ModelError, ModelFormat } from './model-format.ts'
import { openAIChat } from './openai-chat.ts'
import { openAIResponses } from './openai-responses.ts'

/** The request, as far as an answer of a model depends on it. */
interface Asked {
  raw: Pick<RawRequest, 'path' | 'body'>
  body: unknown
}

const formats = {
  'openai-chat': ({ body }: Asked) => openAIChat(isRecord(body) && isRecord(body['stream_options']) && body['stream_options']['include_usage'] === true),
  'openai-responses': openAIResponses,
  anthropic,
  'ai-sdk': aiSdk,
  google,
} satisfies Record<string, (asked: Asked) => ModelFormat> // prettier-ignore
export type ModelName = keyof typeof formats

export function isModel(format: unknown): format is ModelName {
  return typeof format === 'string' && Object.hasOwn(formats, format)
}

/** Keys of the lines that every API has. */
export const lineKeys = ['text', 'thinking', 'tool', 'refusal', 'error', 'finish']

/** A key that events of the API have, without which an object is meant as a line. */
const rawKey: Record<ModelName, string | undefined> = {
  'openai-chat': undefined,
  'openai-responses': 'type',
  anthropic: 'type',
  'ai-sdk': 'type',
  google: 'candidates',
}

/** The first key of an object that is neither a line nor an event of the API. */
export function unknownLineKey(name: ModelName, data: unknown): string | undefined {
  const raw = rawKey[name]
  if (raw === undefined || !isRecord(data) || data[raw] !== undefined) return undefined
  const keys = Object.keys(data)
  return lineKeys.some((key) => keys.includes(key)) ? undefined : (keys[0] ?? '')
}

/** Statuses of the errors of all APIs by their types; 500 for others. */
const statuses: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  overloaded_error: 529,
  insufficient_quota: 429,
  rate_limit_exceeded: 429,
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
}

/** Characters of a token, on average. */
const tokenSize = 4
const argumentsSize = 16

/** An answer of a language model, from lines such as `{ text: Hello. }` and `{ tool: get_weather, input: { city: Oslo } }`. */
export class ModelStream {
  readonly #format: ModelFormat
  readonly #asked: Asked
  readonly #answer: ModelAnswer
  #open: Block | undefined
  #isOver = false

  constructor(name: ModelName, asked: Asked) {
    const { raw, body } = asked
    this.#format = formats[name](asked)
    this.#asked = asked
    const size = raw.body?.length ?? 0
    const [, named = 'mock'] = /\/models\/([^/:]+)/.exec(raw.path) ?? []
    this.#answer = {
      seed: hash32(raw.body ?? '', addToHash(hashStart, raw.path)).toString(36),
      model: isRecord(body) && typeof body['model'] === 'string' ? body['model'] : named,
      blocks: [],
      finish: '',
      usage: { input: tokensIn(size), output: 0, thinking: 0 },
    }
  }

  framing(): Framing {
    const { headers, last = '' } = this.#format
    return {
      contentType: sseType,
      ...(headers && { headers }),
      start: this.#write(this.#format.begin(this.#answer)),
      frame: ({ data }) => (data === undefined || this.#isOver ? '' : this.#write(this.#take(data))),
      heartbeat: comment,
      end: () => (this.#isOver ? '' : `${this.#write(this.#finish())}${last}`),
    }
  }

  /** The answer to a client that wants no events, or the error that comes first; `undefined` for a stream. */
  whole(events: readonly FixtureEvent[]): FixtureResponse | undefined {
    const [first] = events
    const failed = this.wantsEvents()
      ? [first].find((one) => isError(one?.data))
      : events.find(({ data }) => isError(data))
    if (failed) {
      const error = errorOf((failed.data as { error: unknown }).error)
      return { status: error.status, body: this.#format.errorBody(error) }
    }
    if (this.wantsEvents()) return undefined
    for (const { data } of events) if (data !== undefined) this.#take(data)
    this.#finish()
    const fault = events.find((event) => event.fault)?.fault
    return { body: this.#format.whole!(this.#answer), ...(fault && { fault }) }
  }

  wantsEvents(): boolean {
    const { body, raw } = this.#asked
    if (!this.#format.whole || raw.path.endsWith(':streamGenerateContent')) return true
    return !raw.path.endsWith(':generateContent') && (!isRecord(body) || body['stream'] === true)
  }

  /** The answer to more requests than the limit allows. */
  refuse({ requests }: RateLimit, seconds: number, now: number): FixtureResponse {
    const error = errorOf(this.#format.limitHeaders || !this.#format.whole ? 'rate_limit_error' : 'RESOURCE_EXHAUSTED')
    const limit = { requests, seconds, resetAt: now + seconds * 1000 }
    return { status: 429, headers: this.#format.limitHeaders?.(limit) ?? {}, body: this.#format.errorBody(error) }
  } // prettier-ignore

  #write(events: readonly object[]): string {
    const { isNamed } = this.#format
    return events
      .map((data) => sseFrame({ ...(isNamed && { event: (data as { type?: string }).type }), data }))
      .join('')
  }

  #take(data: unknown): object[] {
    if (!isRecord(data) || writtenNumber(data) !== undefined) return this.#add('text', eventText(data))
    const { text, thinking, refusal, tool, input = {}, output, id, error, finish } = data
    if (text !== undefined) return this.#add('text', eventText(text))
    if (thinking !== undefined) return this.#add('thinking', eventText(thinking))
    if (typeof refusal === 'string') return this.#add('refusal', refusal)
    if (error !== undefined) {
      this.#isOver = true
      return this.#format.fail(errorOf(error), this.#answer)
    }
    if (typeof finish === 'string') {
      this.#answer.finish = finish
      return []
    }
    if (typeof tool !== 'string') return [this.#format.raw?.(data, this.#answer) ?? data]
    const own = { name: tool, input, ...(output !== undefined && { output }) }
    const opened = this.#begin('tool', { ...own, ...(typeof id === 'string' && { id }) })
    const pieces = toJson(input)!.match(new RegExp(`[^]{1,${argumentsSize}}`, 'g'))!
    return [...opened, ...pieces.flatMap((piece) => this.#add('tool', piece)), ...this.#close()]
  }

  #add(kind: Block['kind'], text: string): object[] {
    const opened = this.#open?.kind === kind ? [] : this.#begin(kind)
    const block = this.#open!
    const { usage, blocks } = this.#answer
    block.text += text
    const count = (counted: readonly Block[]) => counted.reduce((sum, one) => sum + tokensIn(one.text.length), 0)
    usage.output = count(blocks)
    usage.thinking = count(blocks.filter((one) => one.kind === 'thinking'))
    return [...opened, ...this.#format.piece(block, text, this.#answer)]
  } // prettier-ignore

  #begin(kind: Block['kind'], given: Partial<Block> = {}): object[] {
    const closed = this.#close()
    const { blocks, seed } = this.#answer
    const index = blocks.length
    this.#open = { kind, index, id: `${kind}_${seed}_${index}`, text: '', name: '', input: {}, ...given }
    blocks.push(this.#open)
    return [...closed, ...this.#format.open(this.#open, this.#answer)]
  }

  #close(): object[] {
    const block = this.#open
    this.#open = undefined
    return block ? this.#format.close(block, this.#answer) : []
  }

  #finish(): object[] {
    const answer = this.#answer
    const last = answer.blocks.at(-1)
    const isCall = last?.kind === 'tool' && last.output === undefined
    const finish = answer.finish || (isCall ? 'tool' : last?.kind === 'refusal' ? 'refusal' : 'stop')
    answer.finish = this.#format.reasons?.[finish] ?? finish
    return [...this.#close(), ...this.#format.end(answer)]
  }
}

function tokensIn(characters: number): number {
  return Math.ceil(characters / tokenSize)
}

function isError(data: unknown): boolean {
  return isRecord(data) && data['error'] !== undefined
}

/** `overloaded_error`, or an object with its type, message and status. */
function errorOf(given: unknown): ModelError {
  const { type = 'api_error', message, status } = (isRecord(given) ? given : { type: given }) as Partial<ModelError>
  return {
    type: String(type),
    message: message ?? `The mock API answers with ${String(type)}.`,
    status: status ?? statuses[type] ?? 500,
  }
} // prettier-ignore
