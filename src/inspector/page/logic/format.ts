export { formatDuration, formatSize } from '../../../core/values/describe-value.ts'
import { writtenNumber } from '../../../core/values/exact-number.ts'
import { plural } from '../../../core/values/describe-value.ts'
import type { AnsweredBy, Json, RequestSummary, RouteInfo } from '../../api/api.ts'

export function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** `14:03:07`, in the time zone of the reader. */
export function formatTime(time: number): string {
  return new Date(time).toTimeString().slice(0, 8)
}

/** Number of routes as the terminal counts: each page of a list is one, a route with an error none. */
export function countRoutes(routes: readonly Pick<RouteInfo, 'answers' | 'pages'>[]): number {
  return routes.reduce((sum, { answers, pages = 1 }) => sum + (answers === 'error' ? 0 : pages), 0)
}

/** `fixtures/orders.yaml:12`; outside of the project `…/fixtures/orders.yaml:12`. */
export function formatPosition({ file, line }: { file?: string; line?: number }): string {
  const shown = file?.replace(/^(?:[A-Za-z]:)?\/.*(?=\/[^/]+\/[^/]+$)/, '…')
  return [shown, ...(shown && line ? [line] : [])].join(':')
}

/** Name of a route; `undefined` for the default one: its method, its path and a number. */
export function ownName(name: string): string | undefined {
  return /^[A-Z*]+ \/.* #\d+$/.test(name) ? undefined : name
}

type StatusKind = 'good' | 'redirect' | 'bad' | 'failed' | 'none'

export function statusKind(status: number | undefined): StatusKind {
  if (status === undefined) return 'none'
  if (status >= 500) return 'failed'
  if (status >= 400) return 'bad'
  return status >= 300 ? 'redirect' : 'good'
}

/** A page that came in place of an answer has status 200. */
export function toneOf({ status, errors, isUnanswered }: RequestSummary): StatusKind {
  if (errors) return 'failed'
  return isUnanswered ? 'bad' : statusKind(status)
}

export function statusText({ status, answeredBy, isAborted, duration }: RequestSummary): string {
  if (isAborted) return 'aborted'
  if (status !== undefined) return String(status)
  if (answeredBy === 'passed-on') return '–'
  return duration === undefined ? 'waits' : 'broken'
}

const streamStates = { open: 'open', complete: 'complete', left: 'left by the client', broken: 'broken' }

/** `3 frames, open` */
export function streamText({ state, frames }: NonNullable<RequestSummary['stream']>): string {
  return `${plural(frames, 'frame')}, ${streamStates[state]}`
}

export const answeredBy: Record<AnsweredBy, string> = {
  route: 'Answered by a route',
  template: 'Answered by a starter template',
  fault: 'Broken by a fault',
  override: 'Answered by an override',
  nothing: 'No route matched',
  refused: 'Refused',
  plugin: 'Answered by the plugin',
  'passed-on': 'Passed on to the dev server',
}

/** For GraphQL the operation with its first variables. */
export function titleOf({ operationName, operationType, variables, url }: RequestSummary): {
  title: string
  detail?: string
} {
  if (operationName === undefined && operationType === undefined) return { title: url }
  const title = operationName ?? `(anonymous ${operationType})`
  return variables ? { title, detail: variables } : { title }
}

/** A value in YAML's flow style. Strings that YAML would read as another type are quoted. */
export function flowYaml(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flowYaml).join(', ')}]`
  if (typeof value === 'string') return writtenNumber(value) ?? plainWord(value)
  if (value === null || typeof value !== 'object') return String(value)
  const entries = Object.entries(value).map(([key, inner]) => `${plainWord(key)}: ${flowYaml(inner)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

function plainWord(text: string): string {
  const isPlain = /^[a-z$_][\w$.-]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}
