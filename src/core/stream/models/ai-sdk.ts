import type { ModelFormat } from './model-format.ts'

/** @see https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol */
export function aiSdk(): ModelFormat {
  const names = { text: 'text', refusal: 'text', thinking: 'reasoning' }
  return {
    headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
    last: 'data: [DONE]\n\n',
    reasons: { tool: 'tool-calls', filter: 'content-filter', refusal: 'content-filter' },
    begin: () => [{ type: 'start' }, { type: 'start-step' }],
    open: ({ kind, id, name }) => [
      kind === 'tool'
        ? { type: 'tool-input-start', toolCallId: id, toolName: name }
        : { type: `${names[kind]}-start`, id },
    ],
    piece: ({ kind, id }, text) => [
      kind === 'tool'
        ? { type: 'tool-input-delta', toolCallId: id, inputTextDelta: text }
        : { type: `${names[kind]}-delta`, id, delta: text },
    ],
    close({ kind, id, name, input, output }) {
      if (kind !== 'tool') return [{ type: `${names[kind]}-end`, id }]
      const given = { type: 'tool-input-available', toolCallId: id, toolName: name, input }
      // The client calls a tool without a result, and asks again when the last step has results only.
      return output === undefined
        ? [given]
        : [given, { type: 'tool-output-available', toolCallId: id, output }, { type: 'finish-step' }, { type: 'start-step' }]
    },
    end: ({ finish }) => [
      { type: 'finish-step' },
      { type: 'finish', finishReason: finish },
    ],
    fail: ({ message }) => [{ type: 'error', errorText: message }],
    errorBody: ({ message }) => message,
  } // prettier-ignore
}
