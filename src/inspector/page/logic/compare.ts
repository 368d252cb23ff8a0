import type { RequestDetails, ShownBody } from '../../api.ts'
import { entriesOf, LongNumber, parseJson, type Shown } from './values.ts'

/** A place where two requests or their answers differ; absent on the side that does not have it. */
export interface Difference {
  path: string
  before?: string
  after?: string
}

/** Headers that differ between any two requests, and say nothing. */
const changing = /^(?:date|etag|content-length|cookie|referer|if-none-match)$/

export function compareRequests(before: RequestDetails, after: RequestDetails): Difference[] {
  return differences(comparable(before), comparable(after), '')
}

function comparable({ method, url, headers, body, response, route, status }: RequestDetails): Shown {
  const kept = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !changing.test(name)))
  return {
    method,
    url,
    headers: kept(headers),
    ...(body && { body: valueOf(body) }),
    ...(route && { route: route.name }),
    answer: {
      ...(status !== undefined && { status }),
      ...(response && { headers: kept(response.headers), body: valueOf(response.body) }),
    },
  }
}

function valueOf({ text, size }: ShownBody): Shown {
  return text === undefined ? `${size} bytes` : (parseJson(text)?.value ?? text)
}

function differences(before: Shown | undefined, after: Shown | undefined, path: string): Difference[] {
  const [old, now] = [before, after].map((value) => (value === undefined ? undefined : entriesOf(value)))
  if (!old || !now) {
    const [left, right] = [before, after].map(written)
    if (left === right) return []
    return [
      { path, ...(left !== undefined && { before: left }), ...(right !== undefined && { after: right }) },
    ]
  }
  const [olds, nows] = [new Map(old), new Map(now)]
  const keys = new Set([...olds.keys(), ...nows.keys()])
  return [...keys].flatMap((key) =>
    differences(olds.get(key), nows.get(key), path === '' ? key : `${path}.${key}`),
  )
}

function written(value: Shown | undefined): string | undefined {
  return value instanceof LongNumber ? value.text : JSON.stringify(value)
}
