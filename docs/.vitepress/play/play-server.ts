import { parseSetCookie } from 'cookie'
import type { Decision } from '../../../src/core/answer/decision.ts'
import { rulesOf } from '../../../src/core/answer/rules.ts'
import { isError } from '../../../src/core/diagnostics/severity.ts'
import { resolveFetchOptions } from '../../../src/core/options/resolve-options.ts'
import { MockState } from '../../../src/core/state/mock-state.ts'
import type { SourceLocation } from '../../../src/core/diagnostics/diagnostic.ts'
import { loadGraphQL } from '../../../src/core/graphql/later.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import { addTo } from '../../../src/core/values/collections.ts'
import type { KeyPath } from '../../../src/core/values/values.ts'
import type { RequestDetails } from '../../../src/inspector/api/api.ts'
import { explainRecorded } from '../../../src/inspector/explain-recorded.ts'
import { showDiagnostic } from '../../../src/inspector/explain.ts'
import { Journal, type JournalEntry } from '../../../src/inspector/journal.ts'
import { showDetails, showRoute } from '../../../src/inspector/show.ts'
import { readFixtureText, readSource } from '../../../src/reader/read-fixture-text.ts'
import type { Feature } from '../../../src/server/feature.ts'
import { createLimits } from '../../../src/server/limits.ts'
import { createHub } from '../../../src/server/live/hub.ts'
import { dropStale } from '../../../src/server/report.ts'
import { unsupported } from '../../../src/server/web/serve-routes.ts'
import { createWebHandler } from '../../../src/server/web/web-fetch.ts'

export interface FixtureFile {
  file: string
  text: string
}

/** What the text of a file says, and where each route is. */
export interface Prepared {
  list: unknown[]
  places: Partial<SourceLocation>[]
}

export interface AskedRequest {
  method: string
  /** Path and query, or a whole URL for a route of another origin. */
  url: string
  headers: Record<string, string>
  body: string
}

export type PlayServer = ReturnType<typeof createPlayServer>

/** What a dev server has, without files and without a network: the text of one fixture file is served inside the page. */
export function createPlayServer() {
  // The page is its only client.
  const options = resolveFetchOptions({ allowedHosts: true, logLevel: 'silent' }, console)
  const state = new MockState()
  const journal = new Journal(() => performance.now())
  const hub = createHub(() => {}, state.collections)
  const cookies = new Map<string, string>()
  const bases = ['']
  let asked = 0
  let fixture: FixtureFile = { file: '', text: '' }
  let current: Awaited<ReturnType<typeof read>> = {
    ...{ routes: [], diagnostics: [], isBroken: false },
    table: compileRoutes([], options).table,
  }

  async function read({ file, text }: FixtureFile, prepared?: Prepared) {
    const wasFixture = true
    const { routes, diagnostics, hasLostRoutes } = prepared
      ? await readSource(sourceOf(prepared), file, text, { wasFixture })
      : await readFixtureText(text, file, { wasFixture })
    const served = routes.map((route) => ({ ...route, error: route.error ?? unsupported([route])[0] }))
    const { table, diagnostics: ofTable } = compileRoutes(served, options)
    if (table.endpoints.some(({ graphql }) => graphql)) await loadGraphQL()
    const all = [...diagnostics, ...ofTable, ...unsupported(routes)]
    return { routes, table, diagnostics: all, isBroken: hasLostRoutes && routes.length === 0 }
  }

  function rulesNow() {
    const running = { limits: createLimits(options.functionTimeout, state, undefined), state }
    return rulesOf(options, running, { bases, origins: undefined, graphiql: false, hasPages: false })
  }

  return {
    ...{ options, state, journal, hub, cookies, read, site: { bases, rulesNow } },

    get fixture() {
      return fixture
    },
    get store() {
      return { current }
    },

    /** Serves another text. One that can't be read at all leaves the last good routes, as on a dev server. */
    async load(next: FixtureFile, prepared?: Prepared): Promise<void> {
      const number = ++asked
      const loaded = await read(next, prepared)
      if (number !== asked) return
      fixture = next
      current = loaded.isBroken ? { ...loaded, table: current.table } : loaded
      dropStale(state, current.table)
      hub.reload(current.table)
    },

    /** Ids of the requests are those of the journal, whose listener sees each answer. */
    async ask({ method, url, headers, body }: AskedRequest, signal: AbortSignal): Promise<number> {
      const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const sent = { ...(jar !== '' && { cookie: jar }), ...headers }
      const start = journal.now()
      let entry: JournalEntry | undefined
      let decision: Decision | undefined
      const note: Feature = {
        decided({ found: { match } }, decided) {
          decision = decided
          entry = journal.add(start, method, url, sent, match)
          journal.decide(entry, decided)
          journal.wait(entry)
        },
      }
      const handler = createWebHandler(
        current,
        options,
        { state, hub },
        {
          headersOf: () => Promise.resolve(sent),
          setCookies: (lines) => Promise.resolve(lines.forEach((line) => keepCookie(cookies, line))),
          features: [note],
        },
      )
      const hasBody = body !== '' && method !== 'GET' && method !== 'HEAD'
      const init = { method, signal, ...(hasBody && { body }) }
      try {
        const response = await handler(new Request(new URL(url, 'http://localhost:5173'), init))
        if (response && entry) await follow(journal, entry, decision!, response)
      } catch {
        if (entry) entry.isAborted = signal.aborted
      }
      entry ??= Object.assign(journal.add(start, method, url, sent), { isUnanswered: true })
      const { response } = decision ?? {}
      const hasStatus = !entry.isAborted && !withoutStatus.includes(response?.fault)
      journal.end(entry, hasStatus ? response?.status : undefined, entry.stream ? undefined : response)
      return entry.id
    },

    detailsOf(id: number): RequestDetails {
      const entry = journal.get(id)!
      return showDetails(entry, explainRecorded({ table: current.table, root: '' }, entry, bases))
    },

    /** What the inspector's components know of their server. */
    shown() {
      const routes = current.table.endpoints.flatMap((endpoint) =>
        endpoint.routes.map((route) => showRoute(endpoint, route, journal.hitsOf(route))),
      )
      const known = new Map<string, string[]>()
      for (const { id, scenarios } of routes) for (const name of scenarios) addTo(known, name, id)
      return {
        routes,
        diagnostics: current.diagnostics.map((one) => showDiagnostic(one, '')),
        scenario: [...state.scenariosOf('')],
        known: [...known].map(([name, ids]) => ({ name, routes: ids })),
        overrides: state.overrides.get(''),
        hasErrors: current.diagnostics.some(isError),
        isBroken: current.isBroken,
      }
    },

    reset(): void {
      cookies.clear()
      state.reset()
      state.overrides.set({})
      journal.resetHits()
    },
  }
}

function sourceOf({ list, places }: Prepared) {
  return { value: list, locate: ([index]: KeyPath) => places[index as number] ?? {} }
}

/** Faults that end a connection before the status is sent, or never send it. */
const withoutStatus: unknown[] = ['reset', 'empty', 'silent']

/** A browser shows a page no `set-cookie`: the cookies of the page's server are kept here. */
function keepCookie(cookies: Map<string, string>, line: string): void {
  const { name, value = '', maxAge, expires } = parseSetCookie(line, { decode: (text) => text })
  if (maxAge === 0 || (expires && expires.getTime() < Date.now())) cookies.delete(name)
  else cookies.set(name, value)
}

/** Reads the answer to its end, and notes each event of a stream when it arrives. */
async function follow(
  journal: Journal,
  entry: JournalEntry,
  { stream, response }: Decision,
  answer: Response,
) {
  const record = stream && response ? journal.openStream(entry, response) : undefined
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {}
      if (done) break
      const text = decoder.decode(value, { stream: true }).trim()
      if (!record || text === '' || text === ':') continue // a heartbeat
      // Server-sent events without their framing; of other formats, what is sent.
      const data = [...text.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n')
      journal.addFrame(entry, 'sent', data || text, /^event: (.*)$/m.exec(text)?.[1])
      journal.wait(entry)
    }
    if (record) record.state = 'complete'
  } catch (error) {
    if (record) record.state = entry.isAborted ? 'left' : 'broken'
    throw error
  }
}
