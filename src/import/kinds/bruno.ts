import { basename, dirname } from 'node:path'
import { isRecord } from '../../core/values/values.ts'
import {
  savedAnswer,
  bodyFile,
  graphqlBody,
  pairsIn,
  savedRequest,
  visitItems,
  type SavedRequests,
} from '../saved-requests.ts'
import type { ImportSource } from '../source.ts'
import { listIn, recordIn, toText } from '../values.ts'

type Item = Record<string, unknown>

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options', 'head']
const start = new RegExp(`^(?:meta|vars|auth|headers|${methods.join('|')})(?::[\\w-]+)? \\{\\s*$`, 'm')

const isBru = ({ name, head }: ImportSource) =>
  /\.bru$/.test(name) || (!/^\s*[[{<]/.test(head) && start.test(head))

export function isBruno(source: ImportSource): boolean {
  if (source.isModule) return false
  if (isBru(source)) return true
  const { opencollection, info, http, graphql, name, variables } = recordIn(source.value)
  if (basename(source.name) === 'bruno.json') return toText(name) !== ''
  const isEnvironment = /(?:^|\/)environments\/[^/]*$/.test(source.name) && Array.isArray(variables)
  return typeof opencollection === 'string' || (isRecord(info) && isRecord(http ?? graphql)) || isEnvironment
}

/** Requests of OpenCollection, or in the language Bru, whose blocks `example` have the answers. */
export function readBruno(sources: readonly ImportSource[]): SavedRequests {
  const variables: SavedRequests['variables'] = new Map()
  const requests: SavedRequests['requests'] = []
  const top = Math.min(...sources.map(({ name }) => name.split('/').length))
  for (const source of sources) {
    const root = isBru(source) ? itemOfBru(source.text) : recordIn(source.value)
    const { config, request, runtime, variables: own, http, graphql, items } = root
    const environments = listIn(recordIn(config)['environments'])
    for (const given of [...environments, recordIn(request), recordIn(runtime), { variables: own }])
      for (const [key, value] of pairsIn(given['variables'])) variables.set(key, value)
    const inFolder = source.name.split('/').length > top ? basename(dirname(source.name)) : ''
    visitItems((http ?? graphql) ? [root] : items, (item, folder = inFolder) => {
      const asked = recordIn(item['http'] ?? item['graphql'])
      const name = recordIn(item['info'])['name'] || basename(source.name).replace(/\.\w+$/, '')
      const saved = brunoRequest(asked, name, folder || inFolder)
      const answers = listIn(item['examples']).map(({ name: title = name, request: sent, response }) => {
        const { status, headers, body } = recordIn(response)
        const { type, data } = recordIn(body)
        const own =
          toText(recordIn(sent)['url']) === '' ? saved : brunoRequest(recordIn(sent), name, saved.folder)
        return savedAnswer({ name: title, status, headers, body: data, type: typeOf(type) }, own)
      })
      const scripts = [recordIn(item['runtime'])['scripts']]
      requests.push({ ...saved, answers, scripts })
    })
  }
  return { variables, requests }
}

function typeOf(kind: unknown): string | undefined {
  const [found = ''] = /json|xml|html|text/.exec(toText(kind)) ?? []
  return found && `${/json|xml/.test(found) ? 'application' : 'text'}/${found === 'text' ? 'plain' : found}`
}

function brunoRequest({ method, url, headers, params, body: given }: Item, name: unknown, folder: string) {
  // There may be several to choose from.
  const body = Array.isArray(given)
    ? (listIn(given).find((one) => one['selected'] === true) ?? (given[0] as unknown))
    : given
  const { type, data, query, variables } = recordIn(
    isRecord(body) && isRecord(body['body']) ? body['body'] : body,
  )
  const inPath = listIn(params).filter((one) => one['type'] === 'path').map(({ name, value }) => ({ name, value })) // prettier-ignore
  const place = { name, folder, method, url, params: inPath, headers }
  const kind = Array.isArray(data) || type === 'text' ? undefined : typeOf(type)
  const own = { body: /file$/.test(toText(type)) ? bodyFile : data, type: kind }
  const sent = query === undefined ? own : graphqlBody({ query, variables })
  return savedRequest({ ...place, ...sent })
}

/** A file in the language Bru as OpenCollection has it. */
function itemOfBru(text: string): Item {
  const blocks = blocksIn(text)
  const all = new Map(blocks)
  const vars = blocks.flatMap(([name, content]) =>
    /^vars(?::pre-request)?$/.test(name) ? entriesIn(content) : [],
  )
  const examples = blocks.filter(([name]) => name === 'example').map(([, content]) => {
    const own = new Map(blocksIn(content))
    const response = new Map(blocksIn(own.get('response')))
    const status = response.get('status') ?? ''
    const body = response.get('body')
    return {
      name: own.get('name'),
      request: httpOfBru(new Map(blocksIn(own.get('request')))),
      response: {
        status: valueIn(status, 'code') || status,
        headers: entriesIn(response.get('headers')),
        body: { type: valueIn(body, 'type'), data: valueIn(body, 'content') },
      },
    }
  }) // prettier-ignore
  const isRequest = methods.some((one) => all.has(one))
  const info = { name: valueIn(all.get('meta'), 'name') }
  const scripts = blocks.filter(([name]) => /^(?:script:|tests$)/.test(name)).map(([, code]) => code)
  return { info, variables: vars, http: isRequest && httpOfBru(all), examples, runtime: { scripts } }
}

function httpOfBru(blocks: ReadonlyMap<string, string>): Item {
  const method = methods.find((one) => blocks.has(one))
  const [type = '', data] = [...blocks].find(([key]) => /^body(?::(?:json|text|xml|form-urlencoded|multipart-form|file|graphql))?$/.test(key)) ?? [] // prettier-ignore
  const isGraphQL = type === 'body:graphql'
  const graphql = { query: data, variables: blocks.get('body:graphql:vars') }
  return {
    method: method ?? blocks.get('method'),
    url: method === undefined ? blocks.get('url') : valueIn(blocks.get(method), 'url'),
    headers: entriesIn(blocks.get('headers')),
    params: entriesIn(blocks.get('params:path')).map((one) => ({ ...one, type: 'path' })),
    body: isGraphQL ? graphql : { type, data: /form/.test(type) ? entriesIn(data) : data },
  }
}

/** `name { … }`, `name: { … }`, `name: '''…'''` and `name: value`, with what they hold, as text. */
function blocksIn(text = ''): [name: string, content: string][] {
  const lines = text.split(/\r?\n/)
  const blocks: [string, string][] = []
  for (let index = 0; index < lines.length; index++) {
    const [, indent = '', name, given = ''] =
      /^(\s*)([^\s:{][^:{]*(?::[\w-]+)?)\s*:?\s*(.*)$/.exec(lines[index]!) ?? []
    if (name === undefined) continue
    const close = given === '{' ? `${indent}}` : given === "'''" ? `${indent}'''` : undefined
    if (close === undefined) {
      const [, key = '', value = ''] = /^\s*([^:]+?)\s*:\s*(.*)$/.exec(lines[index]!) ?? []
      if (key !== '') blocks.push([key, value])
      continue
    }
    const end = lines.findIndex((line, at) => at > index && line.trimEnd() === close)
    const content = lines.slice(index + 1, end === -1 ? undefined : end)
    const depth = Math.min(...content.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
    blocks.push([
      name.trim(),
      content.map((line) => line.slice(Number.isFinite(depth) ? depth : 0)).join('\n'),
    ])
    if (end === -1) break
    index = end
  }
  return blocks
}

function valueIn(text: string | undefined, key: string): string {
  return blocksIn(text).find(([name]) => name === key)?.[1] ?? ''
}

/** Entries that are turned off begin with `~`; files are `@file(…)`. */
function entriesIn(text: string | undefined): Item[] {
  return blocksIn(text).map(([name, value]) => ({
    name,
    value,
    disabled: name.startsWith('~'),
    isFile: value.startsWith('@file('),
  }))
}
