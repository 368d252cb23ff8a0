import type { RequestDetails } from '../../api.ts'

/** Headers that clients set automatically. */
const automatic =
  /^(?:accept-encoding|accept-language|connection|content-length|cookie|dnt|host|keep-alive|origin|pragma|priority|referer|te|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|via|proxy-.*|sec-.*)$/

type Sent = Pick<RequestDetails, 'method' | 'url' | 'headers' | 'body'>

/** The headers that the application has set. */
export function ownHeaders(headers: Record<string, string>): [string, string][] {
  return Object.entries(headers).filter(([name]) => !automatic.test(name))
}

/** The command for a POSIX shell that sends the request again. */
export function asCurl({ method, url, headers, body }: Sent, origin: string): string {
  const parts = [`curl ${quote(origin + url)}`]
  const usual = body?.text ? 'POST' : 'GET'
  if (method === 'HEAD') parts.push('--head')
  else if (method !== usual) parts.push(`-X ${quote(method)}`)
  for (const [name, value] of ownHeaders(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`)
  if (body?.text) parts.push(`--data-raw ${quote(body.text)}`)
  return parts.join(' \\\n  ')
}

/** The call of `fetch` that sends the request again, from a page of the application. */
export function asFetch({ method, url, headers, body }: Sent): string {
  const init = {
    ...(method !== 'GET' && { method }),
    ...(ownHeaders(headers).length > 0 && { headers: Object.fromEntries(ownHeaders(headers)) }),
    ...(body?.text && { body: body.text }),
  }
  const options = Object.keys(init).length > 0 ? `, ${JSON.stringify(init, null, 2)}` : ''
  return `await fetch(${JSON.stringify(url)}${options})`
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
