import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readAliases, type ModuleWorld } from '../../core/options/module-world.ts'
import { attempt } from '../../core/values/thrown.ts'
import { declaredValue, findExported, isNode, keyOf, nameOf, parseCode, unwrap, type Node } from '../code.ts'

type Read = Pick<ModuleWorld, 'source' | 'aliases' | 'define' | 'configFile'>

/** Aliases and definitions in the bundler's config, which is parsed and not run: what only code knows is left out. */
export function readConfig(root: string): Read {
  const names = attempt(() => readdirSync(root)) ?? []
  const source = names.find((name) =>
    /^(?:vite|rsbuild|rspack|webpack|vitest)\.config\.[cm]?[jt]s$/.test(name),
  )
  const none = { source: 'the config', aliases: [], define: {} }
  const text = source === undefined ? '' : (attempt(() => readFileSync(join(root, source), 'utf8')) ?? '')
  // Parsing takes longer than most fixture files do.
  if (source === undefined || !/\b(?:alias|define)\b\s*:/.test(text)) return none
  const code = parseCode(text, source)
  const exported = code && findExported(code)?.node
  if (!exported) return none
  const config = evaluate(exported, { folder: root, body: code.body }) as Config
  const define = Object.entries({ ...config.define, ...config.source?.define })
  return {
    source,
    aliases: readAliases(config.resolve?.alias),
    define: Object.fromEntries(define.filter(([, value]) => value !== undefined)),
    configFile: join(root, source),
  }
}

interface Config {
  resolve?: { alias?: unknown }
  define?: Record<string, unknown>
  /** Rsbuild. */
  source?: { define?: Record<string, unknown> }
}

/** The folder of a config, and its statements, which may declare what an expression names. */
export interface Scope {
  folder: string
  body: readonly Node[]
}

/** The value of an expression as configs have them for options and paths; `undefined` for any other, and in its place. */
export function evaluate(given: unknown, scope: Scope): unknown {
  if (!isNode(given)) return undefined
  const node = unwrap(given) as Node & { pattern: string; flags: string; callee: Node }
  const { folder, body } = scope
  const own = (inner: unknown) => evaluate(inner, scope)
  const called = () => (node['arguments'] as Node[]).map(own)
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return node['value']
    case 'RegExpLiteral':
      return new RegExp(node.pattern, node.flags)
    case 'ArrayExpression':
      return (node['elements'] as unknown[]).map(own)
    case 'ObjectExpression': {
      const entries = (node['properties'] as Node[]).map((property) => [
        keyOf(property) ?? '...',
        own(property['value']),
      ])
      return Object.fromEntries(entries)
    }
    case 'Identifier':
      return nameOf(node) === '__dirname' ? folder : own(declaredValue(nameOf(node), body))
    case 'MemberExpression': {
      const name = nameOf(node['property'])
      const isMeta = isNode(node['object']) && node['object'].type === 'MetaProperty'
      if (isMeta && name === 'dirname') return folder
      if (isMeta && name === 'url') return pathToFileURL(join(folder, 'config')).href
      return name === 'pathname' ? own(node['object']) : undefined
    }
    case 'NewExpression': {
      const [place, base] = called()
      return attempt(() => fileURLToPath(new URL(String(place), String(base))))
    }
    case 'CallExpression': {
      const { callee } = node
      const name = nameOf(callee) ?? nameOf(callee['property'])
      const values = called()
      if (name === 'cwd') return folder
      if (name === 'stringify') return values[0] === undefined ? undefined : JSON.stringify(values[0])
      if (name === 'fileURLToPath') return values[0]
      const isPath = (name === 'resolve' || name === 'join') && values.every((one) => typeof one === 'string')
      return isPath ? resolve(folder, ...values) : undefined
    }
    default:
      return undefined
  }
}
