import { isRecord } from '../../core/values/values.ts'

/** The backend's URLs as this server has them. */
export interface OwnLinks {
  /** The scheme of the links that lead back to this server. */
  scheme: 'http' | 'https'
  /** Prefixes such as `https://staging.example/v1/`, and their replacement: `/`. */
  starts: readonly (readonly [from: string, to: string])[]
}

/** The path and query on this server; `undefined` for a URL of another one. */
export function pathOnServer(url: string, { starts }: OwnLinks): string | undefined {
  const [from, to] = starts.find(([from]) => url.startsWith(from)) ?? []
  const path = from === undefined ? undefined : to! + url.slice(from.length)
  return path?.startsWith('//') ? undefined : path // alone, it would name a host
}

/** Links inside an answer stay absolute, since clients parse them, and point to the requested host. */
export function withOwnLinks(value: unknown, links: OwnLinks): unknown {
  if (Array.isArray(value)) return value.map((entry) => withOwnLinks(entry, links))
  if (isRecord(value) && !Object.hasOwn(value, '$literal'))
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withOwnLinks(entry, links)]))
  const path = typeof value === 'string' ? pathOnServer(value, links) : undefined
  if (path === undefined) return value
  const $text = `${links.scheme}://{headers.host}${escapeText(path)}`
  return { $text, ...(links.scheme === 'https' && { else: path }) } // HTTP/2 has no such header
}

/** A part of a `$text` without values. */
export function escapeText(text: string): string {
  return text.replace(/[{}\\]/g, String.raw`\$&`)
}
