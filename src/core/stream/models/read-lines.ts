import { asJson } from '../../values/json-value.ts'
import { isRecord } from '../../values/values.ts'
import type { FixtureStream } from '../../schema/stream-schema.ts'
import type { ModelName } from './models.ts'

/* The opposite of the formats: lines of a fixture from the recorded events of a language model. */

type Line = Record<string, unknown>
type Given = Record<string, unknown>

type Said = (given: unknown) => Line[]

interface Reader {
  /** Whether an event is one of this API. */
  isOwn: (event: Given) => boolean
  lines: (event: Given, tools: Map<unknown, ToolLine>) => Line[]
}

interface ToolLine extends Line {
  tool: string
  /** JSON, as it has arrived so far. */
  written: string
}

const said =
  (key: string) =>
  (given: unknown): Line[] =>
    typeof given === 'string' && given !== '' ? [{ [key]: given }] : []
const [text, thinking, refusal] = ['text', 'thinking', 'refusal'].map(said) as [Said, Said, Said]
const inner = (given: unknown): Given => (isRecord(given) ? given : {})
const listed = (given: unknown): Given[] => (Array.isArray(given) ? given.filter(isRecord) : [])
const parsed = (json: unknown) => asJson(String(json))?.value ?? {}

const readers: Record<ModelName, Reader> = {
  'openai-chat': {
    isOwn: ({ object }) => object === 'chat.completion.chunk',
    lines({ choices, error }, tools) {
      const [choice] = listed(choices)
      const delta = inner(choice?.['delta'])
      const called = listed(delta['tool_calls']).flatMap(({ index, function: given }) => {
        const { name, arguments: written = '' } = inner(given)
        return piece(tools, index, name, written)
      })
      return [
        ...thinking(delta['reasoning_content'] ?? delta['reasoning']),
        ...text(delta['content']),
        ...refusal(delta['refusal']),
        ...called,
        ...finish(choice?.['finish_reason']),
        ...failure(error),
      ]
    },
  },
  'openai-responses': {
    isOwn: ({ type }) => /^response\./.test(String(type)),
    lines({ type, delta, item, code, message, response }) {
      const { type: kind, name, arguments: written } = inner(item)
      if (type === 'response.output_text.delta') return text(delta)
      if (/^response\.reasoning(?:_summary)?_text\.delta$/.test(String(type))) return thinking(delta)
      if (type === 'response.refusal.delta') return refusal(delta)
      if (type === 'error') return failure({ type: code, message })
      if (type === 'response.incomplete')
        return finish(inner(inner(response)['incomplete_details'])['reason'])
      const isCall = type === 'response.output_item.done' && kind === 'function_call'
      return isCall ? [{ tool: name, input: parsed(written) }] : []
    },
  },
  anthropic: {
    isOwn: ({ type, message }) => type === 'message_start' && isRecord(message),
    lines({ type, index, delta: given, content_block: block, error }, tools) {
      const delta = inner(given)
      if (type === 'error') return failure(error)
      if (type === 'message_delta') return finish(delta['stop_reason'])
      const { type: kind, name } = inner(block)
      if (kind === 'tool_use') return piece(tools, index, name, '')
      if (delta['type'] === 'input_json_delta') return piece(tools, index, undefined, delta['partial_json'])
      return [...text(delta['text']), ...thinking(delta['thinking'])]
    },
  },
  google: {
    isOwn: ({ candidates }) => Array.isArray(candidates),
    lines({ candidates, error }) {
      const [candidate] = listed(candidates)
      const parts = listed(inner(candidate?.['content'])['parts']).flatMap((part): Line[] => {
        const { name, args } = inner(part['functionCall'])
        if (name !== undefined) return [{ tool: name, input: args }]
        return part['thought'] === true ? thinking(part['text']) : text(part['text'])
      })
      return [...parts, ...finish(candidate?.['finishReason']), ...failure(error)]
    },
  },
  'ai-sdk': {
    isOwn: ({ type }) => /^(?:(?:text|reasoning|tool-input)-start|tool-input-available|data-.+)$/.test(String(type)),
    lines(event, tools) {
      const { type, delta, toolCallId, toolName: tool, input, output, errorText, finishReason } = event
      if (type === 'text-delta') return text(delta)
      if (type === 'reasoning-delta') return thinking(delta)
      if (type === 'error') return failure({ message: errorText })
      if (type === 'finish') return finish(finishReason)
      if (type === 'tool-input-available') {
        const line = { tool, input } as unknown as ToolLine
        tools.set(toolCallId, line)
        return [line]
      }
      const line = type === 'tool-output-available' ? tools.get(toolCallId) : undefined
      if (line) line['output'] = output
      return /^(?:data|source|file)\b/.test(String(type)) ? [event] : []
    },
  },
} // prettier-ignore

/** A piece of the JSON that a tool is called with. */
function piece(tools: Map<unknown, ToolLine>, key: unknown, name: unknown, json: unknown): Line[] {
  const known = tools.get(key)
  if (known) known.written += String(json)
  if (known || typeof name !== 'string') return []
  const line = { tool: name, written: String(json) }
  tools.set(key, line)
  return [line]
}

/** The reasons that follow from the lines, as every API calls them. */
const usual = /^(?:stop|end_turn|tool_use|tool_calls|tool-calls|STOP|FINISH_REASON_UNSPECIFIED)$/

function finish(reason: unknown): Line[] {
  if (typeof reason !== 'string' || usual.test(reason)) return []
  if (/^(?:length|max_tokens|max_output_tokens|MAX_TOKENS)$/.test(reason)) return [{ finish: 'length' }]
  return [{ finish: /^(?:content.filter|refusal|SAFETY)$/.test(reason) ? 'filter' : reason }]
}

function failure(given: unknown): Line[] {
  if (!isRecord(given)) return []
  const { type, code, status, message } = given
  const name = type ?? status ?? code
  return [{ error: { ...(typeof name === 'string' && { type: name }), message } }]
}

/** The stream of which these are the data of the events; `undefined` for those of no language model. */
export function readModelStream(data: readonly unknown[]): FixtureStream | undefined {
  const events = data.filter(isRecord)
  const names = Object.keys(readers) as ModelName[]
  const as = names.find((name) => events.some((event) => readers[name].isOwn(event)))
  if (!as) return undefined
  const tools = new Map<unknown, ToolLine>()
  const lines: Line[] = []
  for (const line of events.flatMap((event) => readers[as].lines(event, tools))) {
    const [[key, value]] = Object.entries(line) as [[string, unknown]]
    const last = lines.at(-1)
    const isText = ['text', 'thinking', 'refusal'].includes(key)
    if (isText && typeof last?.[key] === 'string') last[key] += String(value)
    else lines.push(line)
  }
  for (const line of tools.values())
    if ('written' in line) {
      line['input'] = parsed(line.written)
      delete (line as Partial<ToolLine>).written
    }
  const [only] = lines
  if (lines.length === 1 && typeof only?.['text'] === 'string') return { as, text: only['text'] }
  return { as, events: lines.map((line) => ({ data: line })) }
}
