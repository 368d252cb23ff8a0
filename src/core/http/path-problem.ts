import { routeNodeKeys } from 'rou3'
import { isSimplePath, trimSlash } from './path.ts'

/** Why a fixture's path can't be matched, and how to correct it. */
interface PathProblem {
  reason: string
  fix?: string
}

/** Each optional part doubles the number of paths of a route. */
const maxOptionalParts = 4

/**
 * What is wrong with a fixture's path; `undefined` when it can be matched.
 *
 * Constraints such as `:id(\\d+)` are rejected: they would run as JavaScript regular expressions, which can take
 * exponential time, and a data file must not be able to block the server.
 */
export function findPathProblem(path: string): PathProblem | undefined {
  if (isSimplePath(trimSlash(path))) return undefined
  return checks.map((check) => check(path)).find((problem) => problem) ?? checkSyntax(path)
}

const checks: ((path: string) => PathProblem | undefined)[] = [
  checkFragment,
  checkQuery,
  checkBraces,
  checkBrackets,
  checkSplat,
  checkHyphen,
  checkParentheses,
  checkOptionalParts,
]

function checkFragment(path: string): PathProblem | undefined {
  const [before, after] = splitAt(path, '#')
  if (after === undefined) return undefined
  return {
    reason: 'a browser does not send the part after "#" to a server.',
    fix: `Write the path without it: ${before || '/'}`,
  }
}

function checkQuery(path: string): PathProblem | undefined {
  const match = /(?<!\\)\?([^/?]*=.*)$/.exec(path)
  if (!match) return undefined
  const selector = [...new URLSearchParams(match[1])].map(([name, value]) => {
    const isNumber = /^(?:0|[1-9]\d{0,14})$/.test(value)
    return `${/^[\w-]+$/.test(name) ? name : `'${name}'`}: ${isNumber ? value : `'${value}'`}`
  })
  return {
    reason: 'a path has no query.',
    fix: `Write "path: ${path.slice(0, match.index)}" and "when: { query: { ${selector.join(', ')} } }".`,
  }
}

function checkBraces(path: string): PathProblem | undefined {
  const braces = /(?<!\\)\{([A-Za-z_][\w-]*)\}(?!\?)/g
  if (!braces.test(path)) return undefined
  return {
    reason: 'a parameter is not written in braces.',
    fix: `Write "${path.replace(braces, (_, name: string) => `:${camelCase(name)}`)}".`,
  }
}

/** `[id]` and `[...rest]` as in Next.js and SvelteKit, `<id>` as in Flask. */
function checkBrackets(path: string): PathProblem | undefined {
  const brackets = /(?<=\/)(?:\[(\.{3})?([A-Za-z_][\w-]*)\]|<(?:\w+:)?([A-Za-z_]\w*)>)(?=\/|$)/g
  if (!brackets.test(path)) return undefined
  const write = (_: string, dots?: string, square?: string, angle?: string) =>
    `${dots ? '**' : ''}:${camelCase(square ?? angle!)}`
  return {
    reason: 'a parameter is not written in brackets.',
    fix: `Write "${path.replace(brackets, write)}".`,
  }
}

/** `*rest` as in Express 5. */
function checkSplat(path: string): PathProblem | undefined {
  const splat = /(?<=\/)\*([A-Za-z_]\w*)(?=\/|$)/g
  if (!splat.test(path)) return undefined
  return {
    reason: 'the name of a wildcard is not written like that.',
    fix: `Write "${path.replace(splat, '**:$1')}".`,
  }
}

function checkHyphen(path: string): PathProblem | undefined {
  const match = /(?<!\\):([A-Za-z_]\w*)-([A-Za-z_][\w-]*)/.exec(path)
  if (!match) return undefined
  const [, name, rest] = match as unknown as [string, string, string]
  return {
    reason: `a parameter's name has no "-", so ":${name}-${rest}" is the parameter "${name}" followed by the text "-${rest}".`,
    fix: `Write ":${camelCase(`${name}-${rest}`)}" for one parameter, or ":${name}\\-${rest}" for a parameter and a text.`,
  }
}

function checkParentheses(path: string): PathProblem | undefined {
  if (!/(?<!\\)[()]/.test(path)) return undefined
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

function checkOptionalParts(path: string): PathProblem | undefined {
  const count = path.match(/(?<!\\)(?:\?|(?<=:\w+)\*)/g)?.length ?? 0
  if (count <= maxOptionalParts) return undefined
  return {
    reason: `it has ${count} optional parts, and ${maxOptionalParts} are the limit.`,
    fix: 'Write several routes, or "**" for any number of segments.',
  }
}

function checkSyntax(path: string): PathProblem | undefined {
  try {
    routeNodeKeys(path)
    return undefined
  } catch (error) {
    return { reason: (error as Error).message.replace(/^rou3: /, '') }
  }
}

function splitAt(path: string, character: string): [before: string, after: string | undefined] {
  const index = path.indexOf(character)
  const isEscaped = path[index - 1] === '\\'
  return index === -1 || isEscaped ? [path, undefined] : [path.slice(0, index), path.slice(index + 1)]
}

function camelCase(name: string): string {
  return name.replace(/-+(\w?)/g, (_, letter: string) => letter.toUpperCase())
}
