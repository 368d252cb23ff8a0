import { basename, dirname } from 'node:path'
import type { Omissions } from '../writer/omissions.ts'
import type { WrittenAnswer } from '../writer/write-answer.ts'
import { mockAnswer, selectorPath } from './mock-rules.ts'
import type { ImportSource } from './source.ts'
import { fixedFor, NoFixtureFor, type ReadHelper, type TemplateValue } from './template.ts'
import { recordIn, toText } from './values.ts'

type Mapping = Record<string, unknown>

const faults: Record<string, string> = { EMPTY_RESPONSE: 'empty', MALFORMED_RESPONSE_CHUNK: 'malformed' }

export function wiremockAnswer(
  mapping: Mapping,
  path: string,
  where: string,
  source: ImportSource,
  omissions: Omissions,
): WrittenAnswer {
  const response = recordIn(mapping['response'])
  const { status = 200, fixedDelayMilliseconds, chunkedDribbleDelay, fault, proxyBaseUrl } = response
  for (const key of ['postServeActions', 'serveEventListeners'])
    if (Array.isArray(mapping[key]) && mapping[key].length > 0)
      omissions.add(`"${key}"`, 'a route sends no requests', where)
  const headers = Object.entries(recordIn(response['headers'])).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, toText(one)] as const),
  )
  const body = bodyOf(response, source)
  const read = helperFor(mapping, path)
  const written = mockAnswer({ status: Number(status), headers, body, read, where, path }, omissions)
  const { type, median, sigma, lower, upper, milliseconds } = recordIn(response['delayDistribution'])
  const delay =
    type === 'lognormal'
      ? { median, sigma }
      : type === 'uniform'
        ? { min: lower, max: upper }
        : (milliseconds ?? fixedDelayMilliseconds)
  const dribble = recordIn(chunkedDribbleDelay)['totalDuration']
  Object.assign(written.answer, {
    ...(delay !== undefined && delay !== null && delay !== 0 && { delay }),
    ...(dribble !== undefined && { fault: { dribble } }),
    ...(typeof fault === 'string' && { fault: faults[fault] ?? 'reset' }),
  })
  if (proxyBaseUrl === undefined) return written
  omissions.add(`the proxy to ${toText(proxyBaseUrl)}`, 'name it with the option record.target', where)
  for (const key of ['additionalProxyRequestHeaders', 'removeProxyRequestHeaders', 'proxyUrlPrefixToRemove'])
    if (Object.keys(response[key] ?? {}).length > 0) omissions.add(`"${key}"`, 'the request goes on as it is', where) // prettier-ignore
  const changes = Object.entries(written.answer).filter(([key]) => /^(?:headers|delay|fault)$/.test(key))
  return {
    ...written,
    answer: { from: 'backend', ...Object.fromEntries(changes) } as WrittenAnswer['answer'],
  }
}

function bodyOf(response: Record<string, unknown>, source: ImportSource): string | Uint8Array {
  const { body, jsonBody, base64Body, bodyFileName } = response
  if (jsonBody !== undefined) return JSON.stringify(jsonBody)
  if (typeof base64Body === 'string') return Buffer.from(base64Body, 'base64')
  if (bodyFileName === undefined) return toText(body)
  const name = toText(bodyFileName)
  if (name.includes('{{')) throw new NoFixtureFor(`its body is in ${name}, which depends on the request`)
  // Mappings may be in folders below `mappings`, which stands beside the files.
  const folders = dirname(source.path ?? '').split(/[\\/]/)
  const depth = folders.length - folders.lastIndexOf('mappings')
  const bytes = source.readNear(name, `${'../'.repeat(folders.includes('mappings') ? depth : 0)}__files`)
  return /\.(?:json|txt|xml|html|csv)$/i.test(basename(name)) ? new TextDecoder().decode(bytes) : bytes
}

/** Templates are read where the mapping says so, or where they name the request. */
function helperFor(mapping: Mapping, path: string): ReadHelper | undefined {
  const { transformers } = recordIn(mapping['response'])
  const isMeant =
    (Array.isArray(transformers) && transformers.includes('response-template')) ||
    /\{\{[^}]*(?:request\.|jsonPath|random|now\b)/.test(JSON.stringify(mapping['response']))
  if (!isMeant) return undefined
  const { method = 'ANY' } = recordIn(mapping['request'])
  const segments = path.split('/').slice(1)
  return (name, args) => {
    const [first = '', second = ''] = args
    const options = new Map(args.map((one) => one.split('=', 2) as [string, string]))
    if (name === 'now' && args.length === 0) return { made: '$now' }
    if (name === 'randomValue')
      return options.get('type') === 'UUID' ? { made: '$uuid' } : { fixed: 'a1b2c3d4' }
    if (name === 'randomInt' || name === 'randomDecimal') return { fixed: Number(options.get('lower') ?? 1) }
    if (name === 'random') return fixedFor(first) // of an extension
    if (name === 'pickRandom') return { fixed: first }
    if (name === 'jsonPath') {
      const field = selectorPath(second)
      return first === 'request.body' && field !== undefined ? { from: `body.${field}` } : undefined
    }
    if (name === 'request.method' && toText(method) !== 'ANY') return { fixed: toText(method) }
    return args.length === 0 ? requestValue(name.replace('.requestLine.', '.'), segments) : undefined
  }
}

function requestValue(name: string, segments: readonly string[]): TemplateValue | undefined {
  const [, part, rest = ''] = /^request\.(\w+)\.?(.*)$/.exec(name) ?? []
  const key = rest.replace(/^\[([^\]]*)\]$/, '$1').replace(/\.\[?0\]?$/, '')
  if (part === 'query' && key !== '') return { from: `query.${key}` }
  if (part === 'headers' && key !== '') return { from: `headers.${key.toLowerCase()}` }
  if (part === 'cookies' && key !== '') return { from: `cookies.${key}` }
  if (part === 'body' && key === '') return { from: 'body' }
  if (part === 'id') return { made: '$uuid' }
  if (part === 'path' && key === '' && !segments.some((one) => /^[:*]/.test(one))) return { fixed: `/${segments.join('/')}` } // prettier-ignore
  if ((part !== 'path' && part !== 'pathSegments') || key === '') return undefined
  const segment = /^\d+$/.test(key) ? segments[Number(key)] : segments.find((one) => one === `:${key}`)
  return segment?.startsWith(':') ? { from: `params.${segment.slice(1)}` } : segment && { fixed: segment }
}
