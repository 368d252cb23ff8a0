import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { canonicalTarget } from '../../core/http/host-name.ts'
import { canonicalBase } from '../../core/http/path.ts'
import type { Options } from '../../core/options/options.ts'
import {
  findExported,
  isNode,
  isOurs,
  keyOf,
  nameOf,
  parseCode,
  propertyOf,
  unwrap,
  walk,
  type ParsedCode,
  type Node,
} from '../../loader/code.ts'
import { evaluate, type Scope } from '../../loader/module/read-config.ts'
import { findConfigs } from '../init/project.ts'
import type { Terminal } from '../terminal.ts'

/**
 * The plugin's options in the bundler's config, which is parsed and not run: running it takes the whole bundler.
 * A note names the used options that are computed.
 */
export function optionsOfConfig(
  terminal: Terminal,
  folder: string,
  isUsed: (name: string) => boolean,
): Options & { root: string } {
  for (const { name, bundler } of findConfigs(folder)) {
    const code = parseCode(readFileSync(join(folder, name), 'utf8'), name)
    const call = code && findPluginCall(code)
    if (!call) continue
    const [argument] = call['arguments'] as Node[]
    const scope = { folder, body: code.body }
    const { values, unknown } = argument ? readObject(unwrap(argument), scope) : { values: {}, unknown: [] }
    const missing = unknown.filter(isUsed)
    if (missing.length > 0)
      terminal.note(`note: ${name} computes ${missing.join(', ')} of the plugin. That is not known here.`)
    const exported = findExported(code)?.node
    const ownRoot =
      bundler.root && exported?.type === 'ObjectExpression' && propertyOf(exported, bundler.root)
    const hostRoot = ownRoot && evaluate(ownRoot['value'], scope)
    const root = (values as Options).root ?? (typeof hostRoot === 'string' ? hostRoot : '.')
    return { ...values, root: resolve(folder, root) }
  }
  return { root: folder }
}

/** The option `base` of the plugin, in its canonical form. */
export function baseOfConfig(terminal: Terminal, folder: string): string {
  const { base } = optionsOfConfig(terminal, folder, (name) => name === 'base')
  return typeof base === 'string' ? canonicalBase(base) : ''
}

/** A backend that a proxy of the dev server leads to. */
export interface ProxiedBackend {
  target: string
  /** Changes the paths of requests, as in `path.replace(/^\/api/, '')`. */
  rewrite?: [pattern: string, replacement: string]
}

/** Where the proxies of the dev server lead to, as the config writes it. */
export function backendsOfConfig(folder: string): ProxiedBackend[] {
  const backends = new Map<string, ProxiedBackend>()
  for (const { name } of findConfigs(folder)) {
    const { body = [] } = parseCode(readFileSync(join(folder, name), 'utf8'), name) ?? {}
    const scope = { folder, body }
    const isProxy = (node: Node) => node.type === 'ObjectProperty' && keyOf(node) === 'proxy'
    for (const node of [...walk(body)].filter(isProxy).flatMap((proxy) => [...walk(proxy['value'])])) {
      const isObject = node.type === 'ObjectExpression'
      const text = isObject ? readObject(node, scope).values['target'] : evaluate(node, scope)
      const target = typeof text === 'string' && /^https?:/.test(text) ? canonicalTarget(text) : undefined
      if (target === undefined) continue
      const rewrite = isObject ? rewriteOf(node, scope) : undefined
      if (rewrite || !backends.has(target)) backends.set(target, { target, ...(rewrite && { rewrite }) })
    }
  }
  return [...backends.values()]
}

/** The rewrite of Vite's proxy, and that of http-proxy-middleware, if it replaces one text. */
function rewriteOf(proxy: Node, scope: Scope): ProxiedBackend['rewrite'] {
  const ofVite = propertyOf(proxy, 'rewrite')
  for (const { type, arguments: given } of walk(ofVite?.['value'])) {
    const [pattern, replacement] = type === 'CallExpression' ? (given as Node[]) : []
    const text = evaluate(replacement, scope)
    if (pattern?.type === 'RegExpLiteral' && typeof text === 'string')
      return [String(pattern['pattern']), text]
  }
  const ofOthers = propertyOf(proxy, 'pathRewrite')?.['value']
  const [first] = isNode(ofOthers) ? Object.entries(readObject(ofOthers, scope).values) : []
  return first && typeof first[1] === 'string' ? [first[0], first[1]] : undefined
}

function findPluginCall({ body }: ParsedCode): Node | undefined {
  const nodes = [...walk(body)]
  const names = new Set(nodes.flatMap(importedNames))
  return nodes.find(({ type, callee }) => type === 'CallExpression' && names.has(nameOf(callee) ?? ''))
}

function importedNames({ type, source, specifiers, id, init }: Node): string[] {
  if (type === 'ImportDeclaration' && isOurs(source))
    return (specifiers as Node[]).flatMap(({ local }) => nameOf(local) ?? [])
  const isRequired =
    type === 'VariableDeclarator' &&
    isNode(init) &&
    nameOf(init['callee']) === 'require' &&
    isOurs((init['arguments'] as Node[])[0])
  return isRequired ? [...walk(id)].flatMap((node) => nameOf(node) ?? []) : []
}

function readObject(node: Node, scope: Scope): { values: Record<string, unknown>; unknown: string[] } {
  if (node.type !== 'ObjectExpression') return { values: {}, unknown: ['all options'] }
  const values: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const property of node['properties'] as Node[]) {
    const key = keyOf(property)
    const value = evaluate(property['value'], scope)
    if (key === undefined) unknown.push('the spread options')
    else if (isKnown(value)) values[key] = value
    else unknown.push(key)
  }
  return { values, unknown }
}

function isKnown(value: unknown): boolean {
  return value !== undefined && (typeof value !== 'object' || Object.values(value!).every(isKnown))
}
