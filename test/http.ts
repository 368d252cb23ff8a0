import { request, type IncomingHttpHeaders } from 'node:http'
import type { ContractResponse, Send } from './contract.ts'

/** Sends requests to a server as they are: `node:http` neither follows, decodes nor normalises anything. */
export function sendTo(origin: string): Send {
  return ({ method = 'GET', url, headers = {}, body }) =>
    new Promise<ContractResponse>((resolve, reject) => {
      const { hostname, port } = new URL(origin)
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const sent = request(
        { hostname, port, method, path: url, headers: { ...length, ...headers } },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            resolve({ status: response.statusCode!, headers: joinHeaders(response.headers), text })
          })
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
}

function joinHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}
