import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import * as v from 'valibot'
import { createAgentServer, projectTitle } from '../../inspector/server/agents/agent-server.ts'
import {
  answerMessage,
  refuse,
  type McpReply,
  type McpServer,
} from '../../inspector/server/agents/protocol.ts'
import type { Tool } from '../../inspector/server/agents/tool.ts'
import { tools } from '../../inspector/server/agents/tools.ts'
import { ControlApiError, createApiClient, type ApiCall } from '../../inspector/client/api-client.ts'
import { splitLogin } from '../../core/values/url-user.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { inspectorFolder } from '../../inspector/inspector-folder.ts'
import { askDevServer } from '../../wire/node/ask-dev-server.ts'
import { pingServer, findServers, longPatience, ownServers, type FoundServer } from '../mcp/find-servers.ts'
import { projectFolder } from '../places.ts'
import { exitCodes, type ExitCode, type Terminal } from '../terminal.ts'

export interface McpOptions {
  root?: string
  url?: string
  server?: string
  serve?: boolean
  /** Port of the server that `serve` starts. */
  port?: number
}

/** Ends with the standard input. */
export function mcp(terminal: Terminal, options: McpOptions): Promise<ExitCode> {
  return answerLines(terminal, options, process.stdin)
}

/** Answers an agent: a message a line, in and out. */
export async function answerLines(
  terminal: Terminal,
  options: McpOptions,
  input: Readable,
): Promise<ExitCode> {
  const root = projectFolder(terminal, options.root)
  const connection = createConnection(terminal, root, options)
  const call: ApiCall = async (name, given) => {
    const { origin, headers = {} } = await connection.connect()
    try {
      const base = `${origin}/${inspectorFolder}/api/`
      return await createApiClient({ base, headers, fetch: askDevServer }).call(name, given)
    } catch (error) {
      if (error instanceof ControlApiError && error.status === 0) connection.choose(undefined) // it has ended
      throw error
    }
  }
  const server = createAgentServer({
    title: projectTitle(root),
    tools: [...tools, chooseServer((name) => connection.choose(name))],
    call,
  })
  const pending = new Set<Promise<void>>()
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue
    const answer = answerLine(server, line).then(({ message }) => {
      if (message) terminal.print(JSON.stringify(message))
      pending.delete(answer)
    })
    pending.add(answer)
  }
  await Promise.all(pending)
  await connection.close()
  return exitCodes.fine
}

async function answerLine(server: McpServer, line: string): Promise<McpReply> {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch (error) {
    return refuse(400, `The line is not JSON: ${reasonOf(error)}`, false)
  }
  return answerMessage(server, message)
}

/** The dev server is looked for with the first call, and again when it is gone: an agent may start before it. */
function createConnection(terminal: Terminal, root: string, options: McpOptions) {
  const { url, server, serve, port = 3000 } = options
  let current: FoundServer | undefined
  let wanted = server
  let served: { origin: string; close: () => Promise<void> } | undefined

  async function find(): Promise<FoundServer> {
    if (url !== undefined) {
      const { url: address, headers } = splitLogin(url)
      const { origin } = new URL(address)
      const found = await pingServer(origin, headers, longPatience)
      if (found) return found
      throw new Error(`No dev server with the mock API answers at ${origin}. Start it, and try again.`)
    }
    const all = await findServers(root)
    const isNamed = ({ title, origin }: FoundServer) => origin === wanted || title.endsWith(` ${wanted}`)
    const meant = wanted === undefined ? ownServers(all, projectTitle(root)) : all.filter(isNamed)
    if (meant.length === 1) return meant[0]!
    const candidates = meant.length > 0 || (serve && wanted === undefined) ? meant : all
    if (candidates.length > 0)
      throw new Error(
        `${meant.length === 0 ? 'No dev server of this project is running, but others are' : 'Several dev servers are running'}: ${candidates.map(({ title, origin }) => `${title} (${origin})`).join(', ')}. Ask which one to use, and call choose_server with its address.`,
      )
    if (!serve)
      throw new Error(
        `No dev server with the mock API is running for ${root}. Start it (npm run dev), and try again. If it runs in another folder or container, add --url http://localhost:PORT to the command of this server; with --serve, it answers by itself.`,
      )
    const { startServing } = await import('./serve.ts')
    served ??= await startServing({ ...terminal, print: terminal.note }, undefined, { root, port })
    return { title: projectTitle(root), origin: served.origin }
  }

  return {
    connect: async () => (current ??= await find()),
    choose(name: string | undefined) {
      current = undefined
      wanted = name ?? wanted
    },
    close: async () => served?.close(),
  }
}

function chooseServer(choose: (name: string) => void): Tool {
  const input = v.strictObject({
    server: v.pipe(v.string(), v.description('Its address, or the name of its project.')),
  })
  return {
    name: 'choose_server',
    title: 'Choose the dev server',
    description: 'Says which dev server is meant, where several run.',
    example: { server: 'http://localhost:5174' },
    changes: false,
    input,
    output: v.strictObject({ server: v.string() }),
    run: (_, { server }: v.InferOutput<typeof input>) => {
      choose(server)
      return Promise.resolve({ server })
    },
  }
}
