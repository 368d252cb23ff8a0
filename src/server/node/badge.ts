import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Decision } from '../../core/answer/decision.ts'
import type { Rules } from '../../core/answer/rules.ts'
import { clientOf } from '../../core/http/whose-state.ts'
import { describeSadPath } from '../../core/sad-path/describe-sad-path.ts'
import { describeChaos } from '../../core/values/describe-value.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import { insertScript, isPageRequest } from '../origins/insert-script.ts'
import { addHeaders } from '../../wire/node/write-response.ts'
import { type CreateFeature, inspectorPathOf, type NodeHost } from './feature.ts'
import type { NodeReply } from './node-reply.ts'

/* Pages find what the badge shows in the timing of their own requests. */

/** Counts the misses, and names the scenarios and the sad path that are on for the client of the page. */
export const badge: CreateFeature = (host) => {
  if (!host.options.badge) return {}
  const isInserted = host.site.insertsBadge && host.inspector !== undefined
  return {
    pass({ req, res, origin }, next) {
      if (isInserted && origin === '' && isPageRequest(req))
        insertScript(req, res, `${inspectorPathOf(host, req)}badge.js`)
      next()
    },
    headers({ reply, rules, found }, decision) {
      const { req, notes } = reply as NodeReply
      const miss = notes && isMiss(decision) ? missOf(host, req, notes.id) : []
      return [...miss, ...switchedOf(host, req, rules, found.table)]
    },
  }
}

/** Tells the page of a miss that the dev server answers. */
export function tellMiss(host: NodeHost, req: IncomingMessage, res: ServerResponse, id: number): void {
  if (host.options.badge) addHeaders(res, missOf(host, req, id))
}

function missOf(host: NodeHost, req: IncomingMessage, id: number): readonly string[] {
  return ['server-timing', `mock-api-miss;desc="${inspectorPathOf(host, req, id)}"`]
}

function isMiss({ by, batch }: Decision): boolean {
  return by === 'nothing' || (batch?.some((one) => one.by === 'nothing') ?? false)
}

function switchedOf(host: NodeHost, req: IncomingMessage, { state }: Rules, table: RouteTable) {
  const { method = 'GET', url = '/', headers } = req
  const scenarios = table.scenarios ? state.activeFor(method, url, req) : []
  const { sadPath, chaos } = state.overrides.isOn ? state.overrides.get(clientOf(headers)) : {}
  const shown = [...scenarios]
  if (sadPath !== undefined) shown.push(describeSadPath(sadPath))
  if (chaos !== undefined) shown.push(describeChaos(chaos))
  if (shown.length === 0) return []
  const text = shown.join(', ')
  const path = inspectorPathOf(host, req)
  return ['server-timing', `mock-api-switched;desc="${encodeURIComponent(text)} ${path}"`]
}
