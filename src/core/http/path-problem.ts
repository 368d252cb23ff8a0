import { routeNodeKeys } from 'rou3'
import type { AddressProblem } from './route-url.ts'
import { isSimplePath, trimSlash } from './path.ts'

/** Each optional part doubles the number of a route's paths. */
const maxOptionalParts = 4

/**
 * Constraints such as `:id(\\d+)` are rejected: rou3 runs them as JavaScript regular expressions, which can take
 * exponential time, and a data file must not block the server.
 */
export function findPathProblem(path: string): AddressProblem | undefined {
  if (isSimplePath(trimSlash(path))) return undefined
  for (const [pattern, explain] of checks) {
    const [match] = path.matchAll(pattern)
    if (match) return explain(path, match, pattern)
  }
  const optional = path.match(/(?<!\\)(?:\?|(?<=:\w+)\*)/g)?.length ?? 0
  if (optional > maxOptionalParts)
    return {
      reason: `it has ${optional} optional parts, and ${maxOptionalParts} are the limit.`,
      fix: 'Write several routes, or "**" for any number of segments.',
    }
  try {
    routeNodeKeys(path)
    return undefined
  } catch (error) {
    return { reason: (error as Error).message.replace(/^rou3: /, '') }
  }
}

type Explain = (path: string, match: RegExpExecArray, pattern: RegExp) => AddressProblem

const checks: readonly [pattern: RegExp, explain: Explain][] = [
  [
    /(?<!\\)#/g,
    (path, { index }) => ({
      reason: 'a browser does not send the part after "#" to a server.',
      fix: `Write the path without it: ${path.slice(0, index) || '/'}`,
    }),
  ],
  [
    /(?<!\\)\?([^/?]*=.*)$/g,
    (path, { 1: query, index }) => {
      const selector = [...new URLSearchParams(query)].map(([name, value]) => {
        const isNumber = /^(?:0|[1-9]\d{0,14})$/.test(value)
        return `${/^[\w-]+$/.test(name) ? name : `'${name}'`}: ${isNumber ? value : `'${value}'`}`
      })
      return {
        reason: 'a path has no query.',
        fix: `Write "path: ${path.slice(0, index)}" and "when: { query: { ${selector.join(', ')} } }".`,
      }
    },
  ],
  [
    /(?<!\\)\{([A-Za-z_][\w-]*)\}(?!\?)/g,
    (path, _, braces) => ({
      reason: 'a parameter is not written in braces.',
      fix: `Write "${path.replace(braces, (_, name: string) => `:${camelCase(name)}`)}".`,
    }),
  ],
  // `[id]` and `[...rest]` as in Next.js and SvelteKit, `<id>` as in Flask.
  [
    /(?<=\/)(?:\[(\.{3})?([A-Za-z_][\w-]*)\]|<(?:\w+:)?([A-Za-z_]\w*)>)(?=\/|$)/g,
    (path, _, brackets) => {
      const write = (_: string, dots?: string, square?: string, angle?: string) =>
        `${dots ? '**' : ''}:${camelCase(square ?? angle!)}`
      return {
        reason: 'a parameter is not written in brackets.',
        fix: `Write "${path.replace(brackets, write)}".`,
      }
    },
  ],
  // `*rest` as in Express 5.
  [
    /(?<=\/)\*([A-Za-z_]\w*)(?=\/|$)/g,
    (path, _, splat) => ({
      reason: 'the name of a wildcard is not written like that.',
      fix: `Write "${path.replace(splat, '**:$1')}".`,
    }),
  ],
  [
    /(?<!\\):([A-Za-z_]\w*)-([A-Za-z_][\w-]*)/g,
    (_, [, name, rest]) => ({
      reason: `a parameter's name has no "-", so ":${name}-${rest}" is the parameter "${name}" followed by the text "-${rest}".`,
      fix: `Write ":${camelCase(`${name}-${rest}`)}" for one parameter, or ":${name}\\-${rest}" for a parameter and a text.`,
    }),
  ],
  [/(?<!\\)[()]/g, explainParentheses],
]

function explainParentheses(path: string): AddressProblem {
  const reason = 'parentheses have no meaning in it.'
  const [group, name, constraint] = /(?::([A-Za-z_]\w*))?\(([^/]*)\)/.exec(path) ?? []
  if (constraint === '.*')
    return { reason, fix: `Write "${path.replace(group!, name ? `**:${name}` : '**')}".` }
  const selector = constraint
    ? `"when: { params: { ${name ?? 'id'}: { $regex: '^(${constraint})$' } } }"`
    : '"when: { params: … }"'
  return {
    reason,
    fix: name
      ? `Write "${path.replace(group!, `:${name}`)}", and select by ${selector}.`
      : `Write "\\(" and "\\)" for the characters themselves, or a parameter, and select by ${selector}.`,
  }
}

function camelCase(name: string): string {
  return name.replace(/-+(\w?)/g, (_, letter: string) => letter.toUpperCase())
}
