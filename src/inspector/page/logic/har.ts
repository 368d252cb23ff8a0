import type { RequestDetails, ShownBody } from '../../api/api.ts'

/** Secret values stay hidden; a body that was cut or is not text is left out. See http://www.softwareishard.com/blog/har-12-spec/ */
export function toHar(requests: readonly RequestDetails[], origin: string): string {
  const creator = { name: 'unplugin-mock-api', version: '' }
  const entries = requests.map((request) => toEntry(request, origin))
  return JSON.stringify({ log: { version: '1.2', creator, entries } }, null, 2)
}

function toEntry(
  { method, url, headers, body, response, time, duration = 0, delay = 0 }: RequestDetails,
  origin: string,
) {
  const type = headers['content-type'] ?? ''
  const query = new URL(url, origin).searchParams
  const shared = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
  return {
    startedDateTime: new Date(time).toISOString(),
    time: duration,
    _resourceType: 'fetch',
    request: {
      ...shared,
      method,
      url: origin + url,
      headers: toList(headers),
      queryString: toList(Object.fromEntries(query)),
      bodySize: body?.size ?? 0,
      ...(isWhole(body) && { postData: { mimeType: type, text: body.text } }),
    },
    response: {
      ...shared,
      status: response?.status ?? 0,
      statusText: '',
      headers: toList(response?.headers ?? {}),
      redirectURL: response?.headers['location'] ?? '',
      bodySize: response?.body.size ?? -1,
      content: {
        size: response?.body.size ?? 0,
        mimeType: response?.headers['content-type'] ?? '',
        ...(response && contentOf(response.body)),
      },
    },
    cache: {},
    timings: { send: 0, wait: Math.max(0, duration - delay), receive: 0, _delay: delay },
  }
}

function toList(values: Record<string, string>) {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}

function isWhole(body: ShownBody | undefined): body is ShownBody & { text: string } {
  return body?.text !== undefined && !body.isCut && body.size > 0
}

function contentOf(body: ShownBody) {
  if (body.base64 !== undefined) return { text: body.base64, encoding: 'base64' }
  return isWhole(body) ? { text: body.text } : {}
}
