import type { Block, ModelAnswer, ModelError, ModelFormat } from './model-format.ts'

/** @see https://ai.google.dev/api/generate-content */
export function google(): ModelFormat {
  return {
    reasons: { stop: 'STOP', length: 'MAX_TOKENS', tool: 'STOP', filter: 'SAFETY', refusal: 'SAFETY' },
    begin: () => [],
    open: () => [],
    piece: (block, text, answer) => (block.kind === 'tool' ? [] : [chunk(answer, [partOf(block, text)])]),
    close: (block, answer) => (block.kind === 'tool' ? [chunk(answer, [partOf(block)])] : []),
    end: (answer) => [chunk(answer, [{ text: '' }], answer.finish)],
    fail: (error) => [errorBody(error)],
    whole: (answer) =>
      chunk(
        answer,
        answer.blocks.map((block) => partOf(block)),
        answer.finish,
      ),
    errorBody,
  }
}

function errorBody({ type, message, status }: ModelError) {
  return { error: { code: status, message, status: type } }
}

function partOf({ kind, id, name, input, text: all }: Block, text = all) {
  if (kind === 'tool') return { functionCall: { id, name, args: input } }
  return kind === 'thinking' ? { text, thought: true } : { text }
}

function chunk({ seed, model, usage }: ModelAnswer, parts: object[], finishReason?: string) {
  const { input, output, thinking } = usage
  return {
    candidates: [{ content: { parts, role: 'model' }, ...(finishReason && { finishReason }), index: 0 }],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output - thinking,
      thoughtsTokenCount: thinking,
      totalTokenCount: input + output,
    },
    modelVersion: model,
    responseId: seed,
  }
}
