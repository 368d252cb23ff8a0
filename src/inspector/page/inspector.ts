import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import type { OpenFile, Overrides, RecordSwitch, RequestDetails, RequestSummary } from '../api.ts'
import { formatPlace, parsePlace, type Place } from './logic/place.ts'
import {
  copyText,
  parseHeaders,
  resendProblem,
  toTry,
  type TriedRequest,
  withContentType,
} from './logic/send.ts'
import { call, change, cleared, connect, reasonOf, type ServerState, startState } from './logic/server.ts'

export interface Inspector {
  server: ServerState
  place: Place
  go: (change: Partial<Place>) => void
  /** Screen readers read the message too. */
  say: (message: string) => void
  copy: (text: string, what: string) => void
  openInEditor: (file: OpenFile) => void
  setScenario: (names: string[]) => void
  setOverrides: (overrides: Overrides) => void
  setRecord: (record: RecordSwitch) => void
  reset: () => void
  pause: () => void
  clear: () => void
  sendAgain: (request: RequestDetails) => void
  edit: (request: TriedRequest) => void
  /** Sends a request as a page of the application would, and selects it in the list. */
  send: (request: TriedRequest, headers: Record<string, string>) => void
}

export const InspectorContext = createContext<Inspector | undefined>(undefined)

export function useInspector(): Inspector {
  const inspector = useContext(InspectorContext)
  if (!inspector) throw new Error('useInspector is called outside of InspectorContext.')
  return inspector
}

interface Shell {
  inspector: Inspector
  /** The number tells equal messages apart. */
  message: { text: string; number: number }
  tried: TriedRequest | undefined
}

export function useShell(): Shell {
  const [server, report] = useReducer(change, startState)
  const [place, go] = usePlace()
  const [message, setMessage] = useState({ text: '', number: 0 })
  const [tried, setTried] = useState<TriedRequest>()
  /** A request sent from here, selected as soon as it is in the list. */
  const awaited = useRef<{ after: number; method: string; url: string } | undefined>(undefined)
  useEffect(() => connect(place.passed, report), [place.passed])

  const { requests } = server
  useEffect(() => {
    const sent = awaited.current
    const arrived = sent && requests.find((request) => isAnswerTo(sent, request))
    if (!arrived) return
    awaited.current = undefined
    go({ view: 'requests', request: arrived.id })
  }, [requests])

  const actions = useMemo(() => {
    const say = (text: string) => setMessage(({ number }) => ({ text, number: number + 1 }))
    const tell = (failed: unknown) => say(reasonOf(failed))
    const fixed: Omit<Inspector, 'server' | 'place' | 'clear' | 'send' | 'sendAgain'> = {
      go,
      say,
      copy: (text, what) =>
        void copyText(text).then((isCopied) =>
          say(isCopied ? `Copied ${what}` : 'The browser does not allow copying here.'),
        ),
      openInEditor: (opened) =>
        void call('POST /open', { body: opened }).then(
          () => say(`Opened ${opened.file} in the editor`),
          tell,
        ),
      setScenario: (scenario) => void call('PUT /scenario', { body: { scenario } }).catch(tell),
      setOverrides: (overrides) => void call('PUT /overrides', { body: overrides }).catch(tell),
      setRecord: (record) => void call('PUT /record', { body: record }).catch(tell),
      reset: () => void call('POST /reset').then(() => say('Everything is as the fixture files say'), tell),
      pause: () => report({ event: 'pause' }),
      edit(request) {
        setTried(request)
        go({ view: 'try' })
      },
    }
    return fixed
  }, [])

  const inspector = useMemo((): Inspector => {
    const send = (request: TriedRequest, headers: Record<string, string>) => {
      const { method, url, body } = request
      setTried(request)
      awaited.current = { after: Math.max(0, ...requests.map(({ id }) => id)), method, url }
      const hasBody = body !== '' && method !== 'GET' && method !== 'HEAD'
      const init = { method, headers: hasBody ? withContentType(headers, body) : headers }
      fetch(url, { ...init, ...(hasBody && { body }) }).then(
        (answer) => actions.say(`${method} ${url}: HTTP ${answer.status}`),
        () => actions.say(`${method} ${url}: no answer`),
      )
    }
    return {
      ...actions,
      server,
      place,
      send,
      sendAgain(request) {
        const again = toTry(request)
        const problem = resendProblem(request)
        if (problem !== undefined) {
          actions.edit(again)
          return actions.say(problem)
        }
        const parsed = parseHeaders(again.headers)
        if ('headers' in parsed) send(again, parsed.headers)
      },
      clear() {
        cleared.set(requests)
        report({ event: 'clear' })
        if (place.request !== undefined) go({ request: undefined })
      },
    }
  }, [actions, server, place])

  return { inspector, message, tried }
}

function isAnswerTo(sent: { after: number; method: string; url: string }, request: RequestSummary): boolean {
  return request.id > sent.after && request.method === sent.method && request.url === sent.url
}

function usePlace(): [Place, (change: Partial<Place>) => void] {
  const [place, setPlace] = useState(() => parsePlace(location.hash))
  useEffect(() => {
    const follow = () => setPlace(parsePlace(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const go = useCallback((changed: Partial<Place>) => {
    const current = parsePlace(location.hash)
    const next = { ...current, ...changed }
    const hash = formatPlace(next)
    if (hash === formatPlace(current)) return
    // The back button steps through views and requests, not through each letter of the filter.
    const isStep = next.view !== current.view || next.request !== current.request
    history[isStep ? 'pushState' : 'replaceState'](null, '', hash)
    setPlace(parsePlace(hash))
  }, [])
  return [place, go]
}
