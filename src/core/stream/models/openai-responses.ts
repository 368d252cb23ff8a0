import type { Block, ModelAnswer, ModelError, ModelFormat } from './model-format.ts'

export const openAIErrors = {
  errorBody: ({ type, message }: ModelError) => ({ error: { message, type, param: null, code: type } }),
  limitHeaders: ({ requests, seconds }: { requests: number; seconds: number }) => ({
    'x-ratelimit-limit-requests': String(requests),
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': `${seconds}s`,
  }),
}

/** @see https://platform.openai.com/docs/api-reference/responses-streaming */
export function openAIResponses(): ModelFormat {
  let sequence_number = 0
  const event = (type: string, more: object) => ({ type, sequence_number: sequence_number++, ...more })
  const at = ({ id, index, kind }: Block) => ({
    item_id: id,
    output_index: index,
    ...(kind === 'thinking' ? { summary_index: 0 } : kind !== 'tool' && { content_index: 0 }),
  })
  return {
    ...openAIErrors,
    isNamed: true,
    begin: (answer) =>
      ['created', 'in_progress'].map((status) =>
        event(`response.${status}`, { response: responseOf(answer, 'in_progress') }),
      ),
    open: (block) => [
      event('response.output_item.added', { output_index: block.index, item: itemOf(block, true) }),
      ...(block.kind === 'tool'
        ? []
        : [event(`response.${partNames[block.kind]}.added`, { ...at(block), part: partOf(block, '') })]),
    ],
    piece: (block, delta) => [event(`response.${textNames[block.kind]}.delta`, { ...at(block), delta })],
    close(block) {
      const { kind, text, name } = block
      const key = kind === 'tool' ? { arguments: text, name } : { [kind === 'refusal' ? kind : 'text']: text }
      return [
        event(`response.${textNames[kind]}.done`, { ...at(block), ...key }),
        ...(kind === 'tool'
          ? []
          : [event(`response.${partNames[kind]}.done`, { ...at(block), part: partOf(block, text) })]),
        event('response.output_item.done', { output_index: block.index, item: itemOf(block) }),
      ]
    },
    end(answer) {
      const status = statusOf(answer)
      return [event(`response.${status}`, { response: responseOf(answer, status) })]
    },
    fail: ({ type, message }, answer) => [
      event('error', { code: type, message, param: null }),
      event('response.failed', {
        response: { ...responseOf(answer, 'failed'), error: { code: type, message } },
      }),
    ],
    whole: (answer) => responseOf(answer, statusOf(answer)),
  }
}

const textNames = {
  text: 'output_text',
  refusal: 'refusal',
  thinking: 'reasoning_summary_text',
  tool: 'function_call_arguments',
}
const partNames = { text: 'content_part', refusal: 'content_part', thinking: 'reasoning_summary_part' }

function partOf({ kind }: Block, text: string) {
  if (kind === 'thinking') return { type: 'summary_text', text }
  return kind === 'refusal'
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', text, annotations: [], logprobs: [] }
}

function itemOf(block: Block, isNew = false) {
  const { kind, id, name, text } = block
  const status = isNew ? 'in_progress' : 'completed'
  const parts = isNew ? [] : [partOf(block, text)]
  if (kind === 'thinking') return { id, type: 'reasoning', summary: parts }
  return kind === 'tool'
    ? { id, type: 'function_call', status, call_id: `call_${id}`, name, arguments: isNew ? '' : text }
    : { id, type: 'message', status, role: 'assistant', content: parts }
}

function statusOf({ finish }: ModelAnswer) {
  return finish === 'length' || finish === 'filter' ? 'incomplete' : 'completed'
}

function responseOf({ seed, model, blocks, finish, usage }: ModelAnswer, status: string) {
  const { input, output, thinking } = usage
  const isOver = status !== 'in_progress'
  return {
    id: `resp_${seed}`,
    object: 'response',
    created_at: 0,
    status,
    error: null,
    incomplete_details:
      status === 'incomplete'
        ? { reason: finish === 'length' ? 'max_output_tokens' : 'content_filter' }
        : null,
    instructions: null,
    metadata: {},
    model,
    output: isOver ? blocks.map((block) => itemOf(block)) : [],
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: isOver
      ? {
          input_tokens: input,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: output,
          output_tokens_details: { reasoning_tokens: thinking },
          total_tokens: input + output,
        }
      : null,
  }
}
