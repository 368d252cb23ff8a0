import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ApiServer } from '../api-server.ts'

export type Agent = Awaited<ReturnType<typeof connectAgent>>

interface Connection {
  /** `auto` speaks 2026-07-28, the default of the client 2025-11-25. */
  mode?: 'auto' | 'legacy'
  headers?: Record<string, string>
}

/** The official client. It checks every answer of a tool with the output schema. */
export async function connectAgent(
  { origin }: Pick<ApiServer, 'origin'>,
  { mode = 'auto', headers = { 'x-mock-api': '1' } }: Connection = {},
) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const url = new URL(`${origin}/__mock-api/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  await client.listTools()
  const counted = { calls: 0 }
  return {
    client,
    counted,
    /** The answer, or `{ error }`. */
    async call<Answer = Record<string, never>>(name: string, args: object = {}): Promise<Answer> {
      counted.calls++
      const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
      if (!result.isError) return result.structuredContent as Answer
      const [content] = result.content as { text: string }[]
      return JSON.parse(content!.text) as Answer
    },
    async read(uri: string): Promise<string> {
      counted.calls++
      const { contents } = await client.readResource({ uri })
      return (contents[0] as { text: string }).text
    },
  }
}
