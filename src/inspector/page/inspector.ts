import { createContext } from 'preact'
import { useContext, useEffect, useReducer, useRef, useState } from 'preact/hooks'
import { namedScenarios, scenarioCookie } from '../../core/http/whose-state.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import type { ChangedFile, Edit, OpenFile, Overrides, RecordSwitch, RequestDetails } from '../api/api.ts'
import { formatAddress, parsePlace, type Place } from './logic/place.ts'
import {
  copyText,
  isSocket,
  parseHeaders,
  resendProblem,
  toTry,
  type TriedRequest,
  withContentType,
} from './logic/send.ts'
import { isMiss } from '../client/is-miss.ts'
import {
  call,
  change,
  changeOverrides,
  cleared,
  connect,
  idBefore,
  type ServerState,
  startState,
} from './logic/server.ts'
import { withChange } from './logic/switched.ts'
import { useRows } from './rows.ts'

/** Keep equal to the media query of requests.css. */
const narrow = '(max-width: 50rem)'

export type Inspector = ReturnType<typeof useShell>['inspector']

export interface SentAnswer {
  status: number
  type: string
  text: string
}

export const InspectorContext = createContext<Inspector | undefined>(undefined)

export function useInspector(): Inspector {
  const inspector = useContext(InspectorContext)
  if (!inspector) throw new Error('useInspector is called outside of InspectorContext.')
  return inspector
}

interface Message {
  text: string
  /** Tells equal messages apart. */
  number: number
  undo?: (() => void) | undefined
}

interface AwaitedRequest {
  after: number
  method: string
  url: string
  onArrived: (id: number) => void
}

export function useShell() {
  const [server, report] = useReducer(change, startState)
  const [place, go] = usePlace()
  const [message, setMessage] = useState<Message>({ text: '', number: 0 })
  const [tried, setTried] = useState<TriedRequest>()
  const [applied, setApplied] = useState<ChangedFile>()
  /** A request sent from here, selected as soon as it is in the list. */
  const awaited = useRef<AwaitedRequest | undefined>(undefined)
  useEffect(() => connect(place.passed, report), [place.passed])

  const { requests, pinned, restarts } = server
  const kept = place.request === undefined ? pinned : [...pinned, place.request]
  useEffect(() => report({ event: 'keep', data: kept }), [kept.join()])
  useEffect(() => {
    if (restarts > 0 && place.request !== undefined) go({ request: idBefore(place.request) })
  }, [restarts])
  const isStart = useRef(location.hash === '')
  useEffect(() => {
    if (server.connection !== 'live' || !isStart.current) return
    isStart.current = false
    const miss = requests.find(isMiss)
    // On a narrow screen, the request would hide the list.
    if (miss && place.request === undefined && !matchMedia(narrow).matches) go({ request: miss.id }, true)
  }, [server.connection])
  const [ownScenarios, leaveOwnScenarios] = useOwnScenarios(requests)
  useEffect(() => {
    const sent = awaited.current
    const arrived =
      sent &&
      requests.find(({ id, method, url }) => id > sent.after && method === sent.method && url === sent.url)
    if (!arrived) return
    awaited.current = undefined
    sent.onArrived(arrived.id)
  }, [requests])

  /** Screen readers read the message too. */
  const say = (text: string, undo?: () => void) =>
    setMessage(({ number }) => ({ text, number: number + 1, undo }))
  /** Says why the work has failed. @returns whether it is done */
  const run = async <Result>(work: Promise<Result>, done?: (result: Result) => void): Promise<boolean> => {
    try {
      const result = await work
      done?.(result)
      return true
    } catch (failed) {
      say(reasonOf(failed))
      return false
    }
  }
  const edit = (request: TriedRequest) => {
    setTried(request)
    go({ view: 'try' })
  }
  const select = (request: number) => go({ view: 'requests', request })
  /**
   * Sends a request as a page of the application would. By default, it is selected in the list when it is there.
   *
   * @returns what has come back; `undefined` if nothing has
   */
  const send = (
    request: TriedRequest,
    headers: Record<string, string>,
    onArrived = select,
  ): Promise<SentAnswer | undefined> => {
    const { method, url, body } = request
    setTried(request)
    awaited.current = { after: Math.max(0, ...requests.map(({ id }) => id)), method, url, onArrived }
    const hasBody = body !== '' && method !== 'GET' && method !== 'HEAD'
    const init = { method, headers: hasBody ? withContentType(headers, body) : headers }
    return fetch(url, { ...init, ...(hasBody && { body }) }).then(
      async (answer) => {
        say(`${method} ${url}: HTTP ${answer.status}`)
        const type = answer.headers.get('content-type') ?? ''
        return { status: answer.status, type, text: await answer.text().catch(() => '') }
      },
      () => void say(`${method} ${url}: no answer`),
    )
  }
  const sendAgain = (request: RequestDetails) => {
    const again = toTry(request)
    const problem = resendProblem(request)
    const parsed = parseHeaders(again.headers)
    if (problem === undefined && 'headers' in parsed) return void send(again, parsed.headers)
    edit(again)
    if (problem !== undefined) say(problem)
  }
  /** Shows what a call has written, with a way back. @returns whether it has */
  const changed = (write: Promise<ChangedFile>) => run(write, setApplied)
  const setOverrides = (change: (before: Overrides) => Overrides) => void run(changeOverrides(change))
  /** `undefined` switches one off; the others stay. */
  const override = (change: { [Key in keyof Overrides]?: Overrides[Key] | undefined }) =>
    setOverrides((before) => withChange(before, change))
  const inspector = {
    server,
    rows: useRows(server, place),
    place,
    go,
    say,
    run,
    edit,
    send,
    sendAgain,
    changed,
    copy: (text: string, what: string) =>
      void copyText(text).then((isCopied) =>
        say(isCopied ? `Copied ${what}` : 'The browser does not allow copying here.'),
      ),
    openInEditor: (opened: OpenFile) =>
      void run(call('POST /open', { body: opened }), () => say(`Opened ${opened.file} in the editor`)),
    setScenario: (scenario: string[]) => void run(call('PUT /scenario', { body: { scenario } })),
    setOverrides,
    override,
    /** `undefined` releases the endpoint. */
    forceRoute: (endpoint: string, id: string | undefined) =>
      setOverrides(({ routes = {}, ...others }) => ({
        ...others,
        routes: withChange<Record<string, string>>(routes, { [endpoint]: id }),
      })),
    /** @returns whether it is done */
    setRecord: (record: RecordSwitch) => run(call('PUT /record', { body: record })),
    reset: () => {
      leaveOwnScenarios()
      void run(call('POST /reset'), () => say('Everything was reset'))
    },
    /** The scenarios that the cookie of this browser names, before those of the server; `undefined` without a cookie. */
    ownScenarios,
    leaveOwnScenarios,
    pause: () => report({ event: 'pause' }),
    /** Writes the edit, and sends the request again. Throws when it was not written. */
    applyEdit: async ({ file, text, version }: Edit, request: RequestDetails) => {
      setApplied(await call('PUT /edit', { body: { file, text, version } }))
      if (!isSocket(request)) sendAgain(request)
    },
    applied,
    undoEdit: () =>
      void run(call('DELETE /edit'), ({ file }) => {
        setApplied(undefined)
        say(`${file} was restored`)
      }),
    closeApplied: () => setApplied(undefined),
    clear: () => {
      cleared.set(requests)
      report({ event: 'clear' })
      if (place.request !== undefined) go({ request: undefined })
      say('Cleared', () => {
        cleared.undo()
        report({ event: 'restore' })
      })
    },
    pin: (id: number) => report({ event: 'pin', data: id }),
    keepDetails: (request: RequestDetails) => report({ event: 'details', data: request }),
  }
  return { inspector, message, tried }
}

function readOwnScenarios(): string | undefined {
  return namedScenarios('GET', '', { headers: { cookie: document.cookie } })?.names.join(', ')
}

/** Pages of the application set the cookie: it is read again with each request, and when this page is looked at. */
function useOwnScenarios(requests: ServerState['requests']): [string | undefined, () => void] {
  const [own, setOwn] = useState(readOwnScenarios)
  const update = () => setOwn(readOwnScenarios())
  useEffect(update, [requests])
  useEffect(() => {
    addEventListener('focus', update)
    return () => removeEventListener('focus', update)
  }, [])
  const leave = () => {
    document.cookie = scenarioCookie([])
    update()
  }
  return [own, leave]
}

function usePlace(): [Place, (change: Partial<Place>, isSameStep?: boolean) => void] {
  const [place, setPlace] = useState(() => parsePlace(location.hash))
  useEffect(() => {
    const follow = () => setPlace(parsePlace(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const go = (changed: Partial<Place>, isSameStep = false) => {
    const current = parsePlace(location.hash)
    const next = { ...current, ...changed }
    const hash = formatAddress(next)
    if (hash === formatAddress(current)) return
    // The back button steps through views and requests, not through each letter of the filter.
    const isStep = !isSameStep && (next.view !== current.view || next.request !== current.request)
    history[isStep ? 'pushState' : 'replaceState'](null, '', hash)
    setPlace(parsePlace(hash))
  }
  return [place, go]
}
