import { isRecord } from '../../core/values/values.ts'

export interface HarFilter {
  /** A part of the URL, where `*` stands for any characters; `undefined` for every URL. */
  url: string | undefined
  only: readonly ResourceType[]
  /** Origin of the application. Default: that of the page that asks, if the entry says so. */
  origin?: string | undefined
}

const reasons = {
  fetch: 'it is a request of the application',
  xhr: 'it is a request of the application',
  document: 'it is a page',
  stylesheet: 'it is a style sheet',
  script: 'it is a script',
  image: 'it is an image of the page',
  font: 'it is a font',
  media: 'it is audio or video',
  eventsource: 'it is a stream of events',
  websocket: 'WebSockets are not imported',
  manifest: 'it is the manifest of the application',
  ping: 'it is a ping, whose answer nobody reads',
  other: 'its type is unknown',
}

export type ResourceType = keyof typeof reasons
export const resourceTypes = Object.keys(reasons) as ResourceType[]

export const apiTypes: readonly ResourceType[] = ['fetch', 'xhr', 'eventsource']

/** `undefined` also for an entry that is too broken to know. */
export function whyNotWanted(entry: unknown, { url: pattern, only }: HarFilter): string | undefined {
  const { url } = harRequest(entry)
  if (typeof url !== 'string') return undefined
  if (!/^https?:/i.test(url)) return /^wss?:/i.test(url) ? reasons.websocket : 'its URL is not one of HTTP'
  if (pattern !== undefined && !matches(url, pattern)) return `its URL does not have "${pattern}"`
  const type = typeOf(entry as Record<string, unknown>)
  return only.includes(type) ? undefined : reasons[type]
}

function matches(url: string, pattern: string): boolean {
  let from = 0
  return pattern.split('*').every((part) => {
    const index = url.indexOf(part, from)
    from = index + part.length
    return index !== -1
  })
}

export function harRequest(entry: unknown): Record<string, unknown> {
  return isRecord(entry) && isRecord(entry['request']) ? entry['request'] : {}
}

function typeOf(entry: Record<string, unknown>): ResourceType {
  const { _resourceType: given } = entry
  if (given === 'preflight') return 'fetch' // which the writer names
  // A favicon, a preload and a download are `other`.
  const known = resourceTypes.find((type) => type === given && type !== 'other')
  return known ?? typeByHeaders(entry) ?? typeByContent(entry)
}

/** Values of `Sec-Fetch-Dest` that are not the name of a type. */
const destinations: Record<string, ResourceType> = {
  empty: 'fetch', // a request of the application
  iframe: 'document',
  frame: 'document',
  style: 'stylesheet',
  worker: 'script',
  serviceworker: 'script',
  sharedworker: 'script',
  audio: 'media',
  video: 'media',
  track: 'media',
}

/** Firefox sends the type, but does not write it; Safari does neither. */
function typeByHeaders(entry: unknown): ResourceType | undefined {
  const { headers } = harRequest(entry)
  const header = (Array.isArray(headers) ? headers.filter(isRecord) : []).find(
    ({ name }) => String(name).toLowerCase() === 'sec-fetch-dest',
  )
  const destination = String(header?.['value']).toLowerCase()
  return destinations[destination] ?? resourceTypes.find((type) => type === destination)
}

const contentTypes: [pattern: RegExp, type: ResourceType][] = [
  [/javascript|ecmascript|wasm/, 'script'],
  [/^text\/css/, 'stylesheet'],
  [/^image\//, 'image'],
  [/^font\/|font-woff/, 'font'],
  [/^(?:audio|video)\//, 'media'],
]

function typeByContent(entry: Record<string, unknown>): ResourceType {
  const { response } = entry
  const content = isRecord(response) && isRecord(response['content']) ? response['content'] : {}
  const type = String(content['mimeType'] ?? '').toLowerCase()
  if (/^text\/html|xhtml/.test(type) && harRequest(entry)['method'] === 'GET') return 'document'
  return contentTypes.find(([pattern]) => pattern.test(type))?.[1] ?? 'fetch'
}
