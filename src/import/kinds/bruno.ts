import { basename, dirname } from 'node:path'
import type { ImportContext, Imported } from '../imported.ts'
import { importSaved, type Pairs, type Saved, type SavedRequest, type Variables } from '../saved-requests.ts'
import type { Source } from '../source.ts'
import { recordIn, textOf } from '../values.ts'
import { graphqlBody } from './postman.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options', 'head']
const start = new RegExp(`^(?:meta|vars|auth|headers|${methods.join('|')})(?::[\\w-]+)? \\{\\s*$`, 'm')

export function isBruno(source: Source): boolean {
  if (source.isModule) return false
  if (basename(source.name) === 'bruno.json') return textOf(recordIn(source.value)['name']) !== ''
  return /\.bru$/.test(source.name) || (!/^\s*[[{<]/.test(source.head) && start.test(source.head))
}

/** Requests in files of the language Bru, whose blocks `example` have the answers. */
export async function importBruno(sources: readonly Source[], context: ImportContext): Promise<Imported> {
  const variables: Variables = new Map()
  const requests: Saved[] = []
  const top = Math.min(...sources.map(({ name }) => name.split('/').length))
  for (const source of sources) {
    if (basename(source.name) === 'bruno.json') continue
    const blocks = blocksIn(source.text)
    for (const [name, text] of blocks)
      if (/^vars(?::pre-request)?$/.test(name))
        for (const [key, value] of pairsIn(text)) variables.set(key, value)
    const method = methods.find((one) => blocks.some(([name]) => name === one))
    if (method === undefined) continue
    const all = new Map(blocks)
    const name = valueIn(all.get('meta'), 'name') || basename(source.name, '.bru')
    const folder = source.name.split('/').length > top ? basename(dirname(source.name)) : ''
    const own = requestOf(all, name, folder, method)
    const examples = blocks.filter(([block]) => block === 'example')
    requests.push({ ...own, answers: examples.map(([, text]) => answerOf(text, own)) })
  }
  return importSaved(requests, variables, context)
}

function requestOf(
  blocks: ReadonlyMap<string, string>,
  name: string,
  folder: string,
  method: string,
): SavedRequest {
  const shared = {
    name,
    folder,
    method,
    headers: pairsIn(blocks.get('headers')),
    params: pairsIn(blocks.get('params:path')),
  }
  const [kind, text = ''] =
    [...blocks].find(([key]) =>
      /^body(?::(?:json|text|xml|form-urlencoded|multipart-form|graphql))?$/.test(key),
    ) ?? []
  const type = /json|xml/.exec(kind ?? '')?.[0]
  const url = valueIn(blocks.get(method), 'url') || (blocks.get('url') ?? '')
  if (kind === 'body:graphql') {
    const variables = blocks.get('body:graphql:vars')
    return { ...shared, url, ...graphqlBody({ query: text, variables }) }
  }
  const body = /form/.test(kind ?? '') ? pairsIn(text) : text
  return { ...shared, url, body, type: type && `application/${type}` }
}

function answerOf(example: string, own: SavedRequest): Saved['answers'][number] {
  const blocks = new Map(blocksIn(example))
  const response = new Map(blocksIn(blocks.get('response') ?? ''))
  const request = new Map(blocksIn(blocks.get('request') ?? ''))
  const asked = requestOf(request, own.name, own.folder, request.get('method') ?? own.method)
  const status = response.get('status') ?? ''
  const type = valueIn(response.get('body'), 'type')
  const known = { json: 'application/json', xml: 'application/xml', html: 'text/html', text: 'text/plain' }[
    type
  ]
  return {
    name: blocks.get('name') ?? own.name,
    status: Number(valueIn(status, 'code') || status || 0),
    headers: pairsIn(response.get('headers')),
    body: valueIn(response.get('body'), 'content'),
    type: known,
    request: asked.url === '' ? own : asked,
  }
}

/** `name { … }`, `name: { … }`, `name: '''…'''` and `name: value`, with what they hold, as text. */
function blocksIn(text: string): [name: string, content: string][] {
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
  return blocksIn(text ?? '').find(([name]) => name === key)?.[1] ?? ''
}

/** Entries that are turned off begin with `~`. */
function pairsIn(text: string | undefined): Pairs {
  return blocksIn(text ?? '').filter(([name]) => !name.startsWith('~'))
}
