import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { reasonOf } from '../../../src/core/values/thrown.ts'
import type { OpenFile, Overrides, RequestDetails } from '../../../src/inspector/api/api.ts'
import type { Inspector } from '../../../src/inspector/page/inspector.ts'
import { parsePlace } from '../../../src/inspector/page/logic/place.ts'
import {
  copyText,
  parseHeaders,
  withContentType,
  type TriedRequest,
} from '../../../src/inspector/page/logic/send.ts'
import { controlApi, startState } from '../../../src/inspector/page/logic/server.ts'
import { withChange } from '../../../src/inspector/page/logic/switched.ts'
import { createPlayServer, type FixtureFile, type PlayServer, type Prepared } from './play-server.ts'

/** The server of the page, and what the inspector's components ask of theirs. */
export function usePlay({
  setText,
  showPlace,
}: {
  setText: (text: string) => void
  showPlace: (place: OpenFile) => void
}) {
  const server = useMemo(createPlayServer, [])
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [sent, setSent] = useState<number>()
  const [message, say] = useState('')
  const last = useRef<TriedRequest | undefined>(undefined)
  /** The id of the last request before it started again. */
  const forgotten = useRef(0)
  const stop = useRef(new AbortController())
  useEffect(() => {
    server.journal.listen(({ id }) => {
      // An older one may end later.
      if (id > forgotten.current) setSent((before = 0) => Math.max(before, id))
      redraw(0)
    })
    controlApi.fetch = (url, init) => answer(server, url, init)
    return () => stop.current.abort()
  }, [])

  const load = async (fixture: FixtureFile, prepared?: Prepared) => {
    await server.load(fixture, prepared)
    redraw(0)
  }
  /** A second request ends the first, which may be a stream that stays open. */
  const send = async (request: TriedRequest) => {
    const parsed = parseHeaders(request.headers)
    if ('problem' in parsed) return say(parsed.problem)
    last.current = request
    stop.current.abort()
    stop.current = new AbortController()
    say('')
    const headers = withContentType(parsed.headers, request.body)
    await server.ask({ ...request, headers }, stop.current.signal)
    redraw(0)
  }
  const override = (change: { [Key in keyof Overrides]?: Overrides[Key] | undefined }) => {
    server.state.overrides.set(withChange(server.state.overrides.get(''), change))
    redraw(0)
  }
  const shown = server.shown()
  const own = {
    server: { ...startState, ...shown },
    place: parsePlace(''),
    go: () => {},
    say,
    run: (work: Promise<unknown>, done?: (result: never) => void) =>
      work.then(
        (result) => (done?.(result as never), true),
        (error: unknown) => (say(reasonOf(error)), false),
      ),
    copy: (text: string, what: string) =>
      void copyText(text).then((isCopied) =>
        say(isCopied ? `Copied ${what}` : 'The browser does not allow copying here.'),
      ),
    openInEditor: showPlace,
    setScenario: (names: string[]) => {
      server.state.setScenarios(names)
      redraw(0)
    },
    override,
    forceRoute: (endpoint: string, id: string | undefined) =>
      override({
        routes: withChange<Record<string, string>>(shown.overrides.routes ?? {}, { [endpoint]: id }),
      }),
    sendAgain: () => last.current && void send(last.current),
    async applyEdit({ file, text }: FixtureFile) {
      setText(text)
      await load({ file, text })
      if (last.current) void send(last.current)
      return true
    },
  }
  const details: RequestDetails | undefined = sent === undefined ? undefined : server.detailsOf(sent)
  return {
    // What the components of this page use.
    inspector: own as unknown as Inspector,
    ...{ server, shown, details, message, say, load, send, setScenario: own.setScenario, copy: own.copy },
    stop: () => stop.current.abort(),
    reset: () => {
      stop.current.abort()
      server.reset()
      forgotten.current = server.journal.lastId
      setSent(undefined)
    },
  }
}

async function answer(server: PlayServer, url: string, { method, body }: RequestInit): Promise<Response> {
  const { answerCall } = await import('./control-api.ts')
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  try {
    const name = `${method} ${pathname.replace('/api', '')}`
    return Response.json(await answerCall(server, name, searchParams, body && JSON.parse(body as string)))
  } catch (error) {
    const message = `Not possible here: ${reasonOf(error)}.`
    return Response.json({ error: { message, code: 'play', fix: '' } }, { status: 409 })
  }
}
