import type { Sent } from './requests.ts'

export interface Received {
  status: number
  body: unknown
  headers: Record<string, string>
}

/** The headers that clients of json-server read. */
const compared = ['x-total-count', 'link', 'location', 'content-type']

/** With the answer's own origin left out: json-server sends whole URLs. */
export async function ask(origin: string, { method, path, body, headers }: Sent): Promise<Received> {
  const answer = await fetch(origin + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const own = compared.flatMap((name) => {
    const value = answer.headers
      .get(name)
      ?.replaceAll(origin, '')
      .replace(/; charset.*/, '')
    return value === undefined ? [] : [[name, value] as const]
  })
  return { status: answer.status, body: asJson(text), headers: Object.fromEntries(own) }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
