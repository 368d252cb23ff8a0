import { diffText } from '../../../src/files/diff-text.ts'
import type { Edit, EditRequest, NewPush, Overrides } from '../../../src/inspector/api/api.ts'
import { matchRoute } from '../../../src/inspector/edit/match-route.ts'
import { requestNow, unmetOf } from '../../../src/inspector/edit/request-now.ts'
import { writeRoute } from '../../../src/inspector/edit/write-route.ts'
import { showDiagnostic } from '../../../src/inspector/explain.ts'
import { SadPaths } from '../../../src/inspector/sad-paths.ts'
import { tryAgain } from '../../../src/inspector/try-request.ts'
import { FixtureText } from '../../../src/writer/fixture-text.ts'
import { writeYaml } from '../../../src/writer/write-yaml.ts'
import type { PlayServer } from './play-server.ts'

/* The calls of the control API that the inspector's components make, answered in the page. */

/** @throws Error for a call that cannot be answered here */
export async function answerCall(server: PlayServer, name: string, query: URLSearchParams, body: unknown) {
  const { state, hub, journal, site } = server
  switch (name) {
    case 'POST /edit':
      return propose(server, body as EditRequest)
    case 'GET /sad-paths': {
      const entry = journal.get(Number(query.get('request')))!
      return { sadPaths: await new SadPaths(server, site).ofRequest(entry), more: 0 }
    }
    case 'POST /push': {
      const { request, ...push } = body as NewPush
      const route = journal.get(request!)?.route?.id
      return { streams: hub.push({ ...push, ...(route !== undefined && { route }) }, '') }
    }
    case 'PUT /overrides':
      state.overrides.set(body as Overrides)
      return state.overrides.get('')
    case 'GET /overrides':
      return state.overrides.get('')
    default:
      return { sdl: '' } // of GET /graphql-schema: the page has no options
  }
}

/** A change of the fixture file, and what would answer then. */
async function propose(server: PlayServer, asked: EditRequest): Promise<Edit> {
  const { file, text: before } = server.fixture
  const { options, site, journal, store } = server
  const entry = journal.get(asked.request!)!
  const { text, notes, scenario } = await changed(server, asked)
  const next = await server.read({ file, text })
  const answer = await tryAgain({ options, store }, site, entry, scenario, next)
  return {
    ...{ file, text, version: '', diff: diffText(before, text), notes, files: [file] },
    diagnostics: next.diagnostics.map((one) => showDiagnostic(one, '')),
    ...(answer && { answer }),
    ...(scenario !== undefined && { scenario }),
  }
}

async function changed(
  server: PlayServer,
  { request: id, route: routeId, text, widen, sadPath }: EditRequest,
): Promise<{ text: string; notes: string[]; scenario?: string }> {
  if (text !== undefined) return { text, notes: [] }
  const { options, site, journal, store, fixture } = server
  const { table } = store.current
  const now = { table, graphql: options.graphql, bases: site.bases }
  const entry = journal.get(id!)!
  const isJson = fixture.file.endsWith('.json')
  const file = new FixtureText(fixture.text, isJson)
  if (routeId !== undefined) {
    const route = table.endpoints.flatMap(({ routes }) => routes).find((one) => one.id === routeId)!
    return matchRoute(file, route, unmetOf(route, requestNow(now, entry)), widen)
  }
  const made = await writeRoute(now, entry, sadPath, new SadPaths(server, site))
  const yaml = writeYaml([made.definition])
  return { ...made, text: fixture.text.trim() === '' ? yaml : file.withRoutes([made.definition], yaml) }
}
