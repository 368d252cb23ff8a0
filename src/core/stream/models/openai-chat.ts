import { type Block, type ModelAnswer, type ModelFormat, textOfKind } from './model-format.ts'
import { openAIErrors } from './openai-responses.ts'

const keys = { text: 'content', thinking: 'reasoning_content', refusal: 'refusal' } as const

/** @see https://platform.openai.com/docs/api-reference/chat-streaming */
export function openAIChat(includesUsage: boolean): ModelFormat {
  let role: object = { role: 'assistant', content: '' }
  const chunk = (answer: ModelAnswer, choices: object[], more = {}) => ({
    id: `chatcmpl-${answer.seed}`,
    object: 'chat.completion.chunk',
    created: 0,
    model: answer.model,
    choices,
    ...more,
  })
  const delta = (answer: ModelAnswer, given: object, finish_reason: string | null = null) => {
    const choice = { index: 0, delta: { ...role, ...given }, finish_reason }
    role = {}
    return chunk(answer, [choice])
  }
  const callIndex = (block: Block, { blocks }: ModelAnswer) =>
    blocks.filter(({ kind }) => kind === 'tool').indexOf(block)
  const call = ({ id, name }: Block, text: string) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  })
  return {
    ...openAIErrors,
    last: 'data: [DONE]\n\n',
    reasons: { tool: 'tool_calls', filter: 'content_filter', refusal: 'stop' },
    begin: () => [],
    open: (block, answer) =>
      block.kind === 'tool'
        ? [delta(answer, { tool_calls: [{ index: callIndex(block, answer), ...call(block, '') }] })]
        : [],
    piece: (block, text, answer) => [
      block.kind === 'tool'
        ? delta(answer, { tool_calls: [{ index: callIndex(block, answer), function: { arguments: text } }] })
        : delta(answer, { [keys[block.kind]]: text }),
    ],
    close: () => [],
    end: (answer) => [
      delta(answer, {}, answer.finish),
      ...(includesUsage ? [chunk(answer, [], { usage: usageOf(answer) })] : []),
    ],
    fail: (error) => [openAIErrors.errorBody(error)],
    raw: (given, answer) => delta(answer, given),
    whole(answer) {
      const calls = answer.blocks.filter(({ kind }) => kind === 'tool')
      const thinking = textOfKind('thinking', answer)
      const message = {
        role: 'assistant',
        content: textOfKind('text', answer) ?? null,
        refusal: textOfKind('refusal', answer) ?? null,
        ...(thinking !== undefined && { reasoning_content: thinking }),
        ...(calls.length > 0 && { tool_calls: calls.map((block) => call(block, block.text)) }),
      }
      const choices = [{ index: 0, message, logprobs: null, finish_reason: answer.finish }]
      return chunk(answer, choices, { object: 'chat.completion', usage: usageOf(answer) })
    },
  } // prettier-ignore
}

function usageOf({ usage: { input, output, thinking } }: ModelAnswer) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    completion_tokens_details: { reasoning_tokens: thinking },
  }
}
