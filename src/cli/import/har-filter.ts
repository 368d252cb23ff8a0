import { isRecord } from '../../core/values/values.ts'

/** Which entries of a HAR file are wanted. */
export interface HarFilter {
  /** A part of the URL, in which `*` stands for any characters; `undefined` for every URL. */
  url: string | undefined
  /** Types of requests, by the names of DevTools. */
  only: readonly ResourceType[]
}

/** The types of requests, as DevTools and Playwright name them. */
export const resourceTypes = [
  'fetch',
  'xhr',
  'document',
  'stylesheet',
  'script',
  'image',
  'font',
  'media',
  'eventsource',
  'websocket',
  'manifest',
  'ping',
  'other',
] as const

export type ResourceType = (typeof resourceTypes)[number]

/** What an application asks its API for. */
export const apiTypes: readonly ResourceType[] = ['fetch', 'xhr', 'eventsource']

/** What is said about each type that is not wanted. */
const reasons: Record<ResourceType, string> = {
  fetch: 'it is a request of the application',
  xhr: 'it is a request of the application',
  document: 'it is a page',
  stylesheet: 'it is a style sheet',
  script: 'it is a script',
  image: 'it is an image of the page',
  font: 'it is a font',
  media: 'it is audio or video',
  eventsource: 'it is a stream of events',
  websocket: 'WebSockets are not mocked',
  manifest: 'it is the manifest of the application',
  ping: 'it is a ping, whose answer nobody reads',
  other: 'its type is unknown',
}

/** Why an entry is not wanted; `undefined` when it is, or when it is too broken to know. */
export function whyNotWanted(entry: unknown, { url: pattern, only }: HarFilter): string | undefined {
  const { url } = requestOf(entry)
  if (typeof url !== 'string') return undefined
  if (!/^https?:/i.test(url)) return /^wss?:/i.test(url) ? reasons.websocket : 'its URL is not one of HTTP'
  if (pattern !== undefined && !matches(url, pattern)) return `its URL does not have "${pattern}"`
  const type = typeOf(entry)
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

/** A request as lists name it, without its query, which may have credentials. */
export function describeEntry(entry: unknown): string {
  const { method, url } = requestOf(entry)
  return typeof url === 'string'
    ? `${String(method)} ${url.split(/[?#]/, 1)[0]!.slice(0, 200)}`
    : 'an unknown request'
}

function requestOf(entry: unknown): Record<string, unknown> {
  return isRecord(entry) && isRecord(entry['request']) ? entry['request'] : {}
}

function typeOf(entry: unknown): ResourceType {
  const { _resourceType: given } = entry as { _resourceType?: unknown }
  if (given === 'preflight') return 'fetch' // which the writer names
  // A favicon and a preload are `other`, and so is what is downloaded.
  const known = resourceTypes.find((type) => type === given && type !== 'other')
  if (known) return known
  return typeByHeaders(entry) ?? typeByContent(entry)
}

/** The values of `Sec-Fetch-Dest`. `empty` is a request of the application. */
const destinations: Record<string, ResourceType> = {
  empty: 'fetch',
  document: 'document',
  iframe: 'document',
  frame: 'document',
  style: 'stylesheet',
  script: 'script',
  worker: 'script',
  serviceworker: 'script',
  sharedworker: 'script',
  image: 'image',
  font: 'font',
  audio: 'media',
  video: 'media',
  track: 'media',
  manifest: 'manifest',
}

/** Firefox and Safari do not write the type, but Firefox sends it. */
function typeByHeaders(entry: unknown): ResourceType | undefined {
  const { headers } = requestOf(entry)
  if (!Array.isArray(headers)) return undefined
  for (const header of headers as unknown[]) {
    if (!isRecord(header) || String(header['name']).toLowerCase() !== 'sec-fetch-dest') continue
    return destinations[String(header['value']).toLowerCase()]
  }
  return undefined
}

function typeByContent(entry: unknown): ResourceType {
  const { response } = entry as { response?: unknown }
  const content = isRecord(response) && isRecord(response['content']) ? response['content'] : {}
  const type = String(content['mimeType'] ?? '').toLowerCase()
  if (/^text\/html|xhtml/.test(type) && requestOf(entry)['method'] === 'GET') return 'document'
  if (/javascript|ecmascript|wasm/.test(type)) return 'script'
  if (/^text\/css/.test(type)) return 'stylesheet'
  if (/^image\//.test(type)) return 'image'
  if (/^font\/|font-woff/.test(type)) return 'font'
  if (/^(?:audio|video)\//.test(type)) return 'media'
  return 'fetch'
}
