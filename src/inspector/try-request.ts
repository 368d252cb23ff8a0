import { decide } from '../core/answer/decide.ts'
import type { Decision } from '../core/answer/decision.ts'
import { findRequest, receive } from '../core/answer/receive.ts'
import type { Rules } from '../core/answer/rules.ts'
import type { RawRequest } from '../core/http/raw-request.ts'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import type { EndpointMatch } from '../core/table/match.ts'
import { MockState } from '../core/state/mock-state.ts'
import type { RouteTable } from '../core/table/route-table.ts'
import type { Edit } from './api/api.ts'
import { operationToShow, type JournalEntry } from './journal.ts'
import { showAnsweredBy, showNamed } from './show.ts'

/** The part of a server that answers, which the command `check` has too. */
export interface AnsweringServer {
  options: Pick<ResolvedOptions, 'graphql' | 'bodyLimit'>
  store: { readonly current: { table: RouteTable } | undefined }
}

export interface RulesNow {
  bases: readonly string[]
  rulesNow: () => Rules
}

/** `undefined` if no route has the path; without a decision if the page of GraphiQL answers. */
export async function tryRequest(
  { options, store }: AnsweringServer,
  site: RulesNow,
  { method, url, headers, body: bytes }: Pick<RawRequest, 'method' | 'url' | 'headers' | 'body'>,
  given: Partial<Rules> = {},
  { table } = store.current!,
): Promise<{ match: EndpointMatch; decision?: Decision } | undefined> {
  const rules: Rules = { ...site.rulesNow(), ...given, isDryRun: true }
  const found = findRequest(rules, table, method, url, { headers })
  if (!found || found.kind === 'shared-stream') return undefined
  const { match } = found
  const { path, search, params } = match
  const raw = { method, url, path, search, headers, params }
  const { decision } = receive(rules, found, raw, { isSecure: false })
  if (decision) return { match, decision }
  if (found.kind === 'graphiql') return { match }
  const limit = options.bodyLimit
  const isTooLarge = bytes !== undefined && bytes.length > limit
  const asked = { match, table, raw, rules, askBackend: never, waitFor: never }
  return {
    match,
    decision: await decide(asked, isTooLarge ? { kind: 'too-large', limit } : { kind: 'complete', bytes }),
  }
}

/** Who answers a recorded request now; `undefined` if its body was not kept as a whole. */
export async function tryAgain(
  server: AnsweringServer,
  site: RulesNow,
  { body, ...sent }: JournalEntry,
  scenario?: string,
  fixtures?: { table: RouteTable },
): Promise<Edit['answer']> {
  if (body && body.bytes.length < body.size) return undefined
  const given = scenario === undefined ? {} : { state: new MockState([scenario]) }
  const { decision } = (await tryRequest(server, site, { ...sent, body: body?.bytes }, given, fixtures)) ?? {}
  if (!decision) return { answeredBy: 'passed-on' }
  const { by, route } = operationToShow(decision).decided
  return { answeredBy: showAnsweredBy(by, route), ...(route && { route: showNamed(route) }) }
}

/** A dry run neither asks the backend nor waits for functions. */
function never(): never {
  throw new Error('a dry run has asked')
}
