import type { ServerResponse } from 'node:http'
import { asJson } from '../../core/values/json-value.ts'
import { nestsDeeperThan } from '../../core/values/values.ts'
import { decodeAnswer, interceptAnswer } from '../intercept-answer.ts'
import { limits, type RealAnswer } from './ask/polite-client.ts'

/** The JSON that a later handler answers, copied on its way to the page. Nothing if it is something else, or not complete. */
export async function copyJson(res: ServerResponse): Promise<RealAnswer | undefined> {
  const answer = await interceptAnswer(
    res,
    ({ status, headers }) =>
      status !== 206 && /\bjson\b/i.test(String(headers['content-type'])) ? 'copy' : 'send',
    limits.bytes,
  )
  if (answer.treatment !== 'copy' || answer.end !== 'complete') return undefined
  const decoded = decodeAnswer(answer)
  const json = 'bytes' in decoded ? asJson(new TextDecoder().decode(decoded.bytes)) : undefined
  if (!json || nestsDeeperThan(json.value, limits.nesting)) return undefined
  const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const)
  return { status: answer.status, headers: new Map(headers), body: json }
}
