import type { Block, ModelAnswer, ModelFormat } from './model-format.ts'

const signature = 'bW9jaw=='

/** @see https://docs.claude.com/en/docs/build-with-claude/streaming */
export function anthropic(): ModelFormat {
  const delta = ({ index }: Block, delta: object) => ({ type: 'content_block_delta', index, delta })
  return {
    isNamed: true,
    reasons: { stop: 'end_turn', length: 'max_tokens', tool: 'tool_use', filter: 'refusal' },
    begin: (answer) => [{ type: 'message_start', message: messageOf(answer, true) }, { type: 'ping' }],
    open: (block) => [
      { type: 'content_block_start', index: block.index, content_block: contentOf(block, true) },
    ],
    piece: (block, text) => [
      block.kind === 'tool'
        ? delta(block, { type: 'input_json_delta', partial_json: text })
        : block.kind === 'thinking'
          ? delta(block, { type: 'thinking_delta', thinking: text })
          : delta(block, { type: 'text_delta', text }),
    ],
    close: (block) => [
      ...(block.kind === 'thinking' ? [delta(block, { type: 'signature_delta', signature })] : []),
      { type: 'content_block_stop', index: block.index },
    ],
    end: (answer) => [
      {
        type: 'message_delta',
        delta: { stop_reason: answer.finish, stop_sequence: null },
        usage: { output_tokens: answer.usage.output },
      },
      { type: 'message_stop' },
    ],
    fail: (error) => [errorBody(error)],
    whole: (answer) => messageOf(answer),
    errorBody,
    limitHeaders: ({ requests, resetAt }) => ({
      'anthropic-ratelimit-requests-limit': String(requests),
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': new Date(resetAt).toISOString(),
    }),
  }
}

function errorBody({ type, message }: { type: string; message: string }) {
  return { type: 'error', error: { type, message } }
}

function contentOf({ kind, id, name, text, input }: Block, isNew = false) {
  if (kind === 'tool') return { type: 'tool_use', id, name, input: isNew ? {} : input }
  const shown = isNew ? '' : text
  return kind === 'thinking'
    ? { type: 'thinking', thinking: shown, signature: isNew ? '' : signature }
    : { type: 'text', text: shown }
}

function messageOf(answer: ModelAnswer, isNew = false) {
  const { seed, model, blocks, usage } = answer
  return {
    id: `msg_${seed}`,
    type: 'message',
    role: 'assistant',
    model,
    content: isNew ? [] : blocks.map((block) => contentOf(block)),
    stop_reason: isNew ? null : answer.finish,
    stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: isNew ? 1 : usage.output },
  }
}
