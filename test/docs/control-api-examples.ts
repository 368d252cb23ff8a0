/* The examples of the control API in a page: curl commands, and the answer to the last one in the next block. */
import type { ApiServer } from '../inspector/server/api-server.ts'
import { parseCurl } from './curl.ts'
import type { Block } from './pages.ts'

interface Example {
  commands: string[]
  expected: object
}

export function examplesIn(blocks: readonly Block[]): Example[] {
  return blocks.flatMap(({ language, text }, index) =>
    language === 'sh' && text.startsWith('curl')
      ? {
          commands: text.trim().split(/\n(?=curl )/),
          expected: JSON.parse(blocks[index + 1]!.text) as object,
        }
      : [],
  )
}

export async function runExample(server: ApiServer, { commands }: Example): Promise<unknown> {
  let text = ''
  for (const command of commands) {
    const { url, ...request } = parseCurl(command)
    text = await (await server.send(url, request)).text()
  }
  return JSON.parse(text)
}
