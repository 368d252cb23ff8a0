import { useEffect, useReducer, useRef, useState } from 'preact/hooks'
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
import type { FixtureFile, PlayServer, Prepared } from './play-server.ts'

/** What is known before the server has started. */
const nothing: ReturnType<PlayServer['shown']> = {
  ...{ routes: [], diagnostics: [], scenario: [], known: [], overrides: {} },
  ...{ hasErrors: false, isBroken: false },
}

/**
 * The server of the page, and what the inspector's components ask of theirs. It starts with the first text that is loaded: its
 * code is larger than all else here. Until then, the answer is `first`, which the build of the site got from it.
 */
export function usePlay({
  first,
  setText,
  showPlace,
}: {
  first: RequestDetails | undefined
  setText: (text: string) => void
  showPlace: (place: OpenFile) => void
}) {
  const starting = useRef<Promise<PlayServer> | undefined>(undefined)
  const running = useRef<PlayServer | undefined>(undefined)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  /** The id of the last request, 0 for the first answer. */
  const [sent, setSent] = useState<number | undefined>(first && 0)
  const [message, say] = useState('')
  const last = useRef<TriedRequest | undefined>(undefined)
  /** The id of the last request before it started again. */
  const forgotten = useRef(0)
  const stop = useRef(new AbortController())
  const start = async () => {
    const { createPlayServer } = await import('./play-server.ts')
    const made = createPlayServer()
    made.journal.listen(({ id, duration }) => {
      // An older one may end later, and the first answer stays until another one is whole.
      if (id > forgotten.current)
        setSent((before) => (before === 0 && duration === undefined ? 0 : Math.max(before ?? 0, id)))
      redraw(0)
    })
    return made
  }
  const started = () => (starting.current ??= start())
  useEffect(() => {
    controlApi.fetch = async (url, init) => answer(await started(), url, init)
    return () => stop.current.abort()
  }, [])
  const load = async (fixture: FixtureFile, prepared?: Prepared) => {
    const server = await started()
    await server.load(fixture, prepared)
    running.current = server
    redraw(0)
    return server
  }
  const change = (changed: (server: PlayServer) => void) => {
    if (!running.current) return void started().then(changed)
    changed(running.current)
    redraw(0)
  }
  /** A second request ends the first, which may be a stream that stays open. */
  const send = async (request: TriedRequest) => {
    if (!running.current) return // what is chosen until then is sent when the text is loaded
    const parsed = parseHeaders(request.headers)
    if ('problem' in parsed) return say(parsed.problem)
    last.current = request
    stop.current.abort()
    stop.current = new AbortController()
    say('')
    const headers = withContentType(parsed.headers, request.body)
    await running.current.ask({ ...request, headers }, stop.current.signal)
    redraw(0)
  }
  const override = (overridden: { [Key in keyof Overrides]?: Overrides[Key] | undefined }) =>
    change(({ state }) => state.overrides.set(withChange(state.overrides.get(''), overridden)))
  const shown = running.current?.shown() ?? nothing
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
    setScenario: (names: string[]) => change(({ state }) => state.setScenarios(names)),
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
    },
  }
  return {
    // What the components of this page use.
    inspector: own as unknown as Inspector,
    ...{ shown, message, say, load, send, setScenario: own.setScenario, copy: own.copy },
    server: running.current,
    details: sent ? running.current!.detailsOf(sent) : sent === 0 ? first : undefined,
    stop: () => stop.current.abort(),
    reset: () => {
      stop.current.abort()
      setSent(undefined)
      change((server) => {
        server.reset()
        forgotten.current = server.journal.lastId
      })
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
