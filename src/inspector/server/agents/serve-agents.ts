import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiCall } from '../../client/api-client.ts'
import { checkOwnHeader } from '../access.ts'
import type { InspectedServer } from '../context.ts'
import { HttpError, readJsonBody, setOwnHeaders, writeJson } from '../json.ts'
import { createAgentServer, projectTitle } from './agent-server.ts'
import { answerMessage, refuse, type McpReply } from './protocol.ts'
import type { Tool } from './tool.ts'
import { tools } from './tools.ts'

/** `POST /__mock-api/mcp`: one message a request, without sessions. Loaded with the first one. */
export async function serveAgents(
  server: InspectedServer,
  call: ApiCall,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { status, message } = await replyTo(server, call, req)
  if (message) return writeJson(req, res, status, message, status === 405 ? { allow: 'POST' } : {})
  setOwnHeaders(res)
  res.statusCode = status
  res.end()
}

async function replyTo(server: InspectedServer, call: ApiCall, req: IncomingMessage): Promise<McpReply> {
  if (req.method !== 'POST') return refuse(405, 'Agents send POST: there are neither streams nor sessions.')
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? ''))
    return refuse(400, 'The content type of a message is application/json.')
  try {
    const message = await readJsonBody(server, req)
    const allow = ({ changes }: Tool) => {
      if (changes) checkOwnHeader(req)
    }
    const agents = createAgentServer({ title: projectTitle(server.options.root), tools, call, allow })
    return await answerMessage(agents, message, req.headers)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return refuse(error.status, `${error.message} ${error.fix}`, error.code !== 'api-body-invalid')
  }
}
