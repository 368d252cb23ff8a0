import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Options } from '../../core/options/options.ts'
import {
  findExported,
  isNode,
  keyOf,
  nameOf,
  parseCode,
  propertyOf,
  unwrap,
  walk,
  type Code,
  type Node,
} from './code.ts'
import { findConfigs } from '../init/project.ts'
import type { Terminal } from '../terminal.ts'

/** The options of the plugin, as far as the text of a config says them. */
interface PluginOptions {
  /** The name of the config. */
  config: string
  options: Options
  /** Options whose values only running the config would tell. */
  unknown: string[]
}

/**
 * The options of the plugin as its config says them, with an absolute `root`. A note names those that only running the config
 * would tell, if the command uses them.
 */
export function optionsOfConfig(
  terminal: Terminal,
  folder: string,
  isUsed: (name: string) => boolean,
): Options & { root: string } {
  const found = readPluginOptions(folder)
  const missing = (found?.unknown ?? []).filter(isUsed)
  if (missing.length > 0)
    terminal.note(
      `note: ${found!.config} computes ${missing.join(', ')} of the plugin. That is not known here.`,
    )
  return { ...found?.options, root: resolve(folder, found?.options.root ?? '.') }
}

/**
 * Reads the options of the plugin from the config of the bundler. The config is parsed and not run: it may depend on the mode
 * and on the environment, and loading it takes the whole bundler.
 *
 * @returns `undefined` if no config in the folder has the plugin
 */
function readPluginOptions(root: string): PluginOptions | undefined {
  for (const { name, bundler } of findConfigs(root)) {
    const code = parseCode(readFileSync(join(root, name), 'utf8'), name)
    const call = code && findPluginCall(code)
    if (!call) continue
    const [argument] = call['arguments'] as Node[]
    const given = argument ? readObject(unwrap(argument)) : { values: {}, unknown: [] }
    const exported = findExported(code)?.node
    const ownRoot =
      bundler.root && exported?.type === 'ObjectExpression'
        ? propertyOf(exported, bundler.root)?.['value']
        : undefined
    const hostRoot = isNode(ownRoot) ? literalOf(ownRoot) : undefined
    return {
      config: name,
      options: { ...(typeof hostRoot === 'string' && { root: hostRoot }), ...given.values },
      unknown: given.unknown,
    }
  }
  return undefined
}

/** The call of the function that is imported from this package. */
function findPluginCall({ body }: Code): Node | undefined {
  const nodes = [...walk(body)]
  const names = new Set(nodes.flatMap(importedNames))
  return nodes.find(({ type, callee }) => type === 'CallExpression' && names.has(nameOf(callee) ?? ''))
}

const ours = /^unplugin-mock-api(?:\/|$)/

function importedNames({ type, source, specifiers, id, init }: Node): string[] {
  if (type === 'ImportDeclaration' && isOurs(source))
    return (specifiers as Node[]).flatMap(({ local }) => nameOf(local) ?? [])
  const isRequired =
    type === 'VariableDeclarator' &&
    isNode(init) &&
    nameOf(init['callee']) === 'require' &&
    isOurs((init['arguments'] as Node[])[0])
  if (!isRequired) return []
  return [...walk(id)].flatMap((node) => nameOf(node) ?? [])
}

function isOurs(node: unknown): boolean {
  return isNode(node) && node.type === 'StringLiteral' && ours.test(node['value'] as string)
}

const unknownValue = Symbol('unknown')

/** The values of an object expression; in `unknown` the keys of those that are not literals. */
function readObject(node: Node): { values: Record<string, unknown>; unknown: string[] } {
  const read = { values: {} as Record<string, unknown>, unknown: [] as string[] }
  if (node.type !== 'ObjectExpression') return { values: {}, unknown: ['all options'] }
  for (const property of node['properties'] as Node[]) {
    const key = keyOf(property)
    const value = isNode(property['value']) ? literalOf(property['value']) : unknownValue
    if (key === undefined) read.unknown.push('the spread options')
    else if (value === unknownValue) read.unknown.push(key)
    else read.values[key] = value
  }
  return read
}

function literalOf(given: Node): unknown {
  const node = unwrap(given)
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return node['value']
    case 'ArrayExpression': {
      const items = (node['elements'] as (Node | null)[]).map((item) =>
        item ? literalOf(item) : unknownValue,
      )
      return items.includes(unknownValue) ? unknownValue : items
    }
    case 'ObjectExpression': {
      const { values, unknown } = readObject(node)
      return unknown.length > 0 ? unknownValue : values
    }
    default:
      return unknownValue
  }
}
