import { isNode, nameOf, unwrap, walk, type Code, type Node } from './parse-code.ts'

/** The literal that a module exports by default: the object of a config, or the list of a fixture file. */
export interface Exported {
  /** An object or array expression. */
  node: Node
  /** Whether it is exported by `module.exports`. */
  isCommonJS: boolean
}

/**
 * Finds the literal that a module exports by default: directly, in a variable, through a function such as `defineConfig`, or returned by a
 * function that returns nothing else.
 *
 * @returns `undefined` if there is none, or if code decides which one it is
 */
export function findExported({ body }: Code): Exported | undefined {
  for (const statement of body) {
    const exported =
      statement.type === 'ExportDefaultDeclaration' ? statement['declaration'] : moduleExports(statement)
    if (!isNode(exported)) continue
    const node = resolveLiteral(exported, body)
    return node && { node, isCommonJS: statement.type !== 'ExportDefaultDeclaration' }
  }
  return undefined
}

/** What a statement assigns to `module.exports`. */
function moduleExports(statement: Node): Node | undefined {
  const expression = statement['expression']
  if (!isNode(expression) || expression.type !== 'AssignmentExpression') return undefined
  const { left, right } = expression as Node & { left: Node; right: Node }
  const isExports = nameOf(left['object']) === 'module' && nameOf(left['property']) === 'exports'
  return isExports ? right : undefined
}

/** The functions of bundlers and frameworks that return their argument. */
const definers = /^define(?:[A-Z]\w*)?$/

function resolveLiteral(given: Node, body: readonly Node[]): Node | undefined {
  const node = unwrap(given)
  if (node.type === 'ObjectExpression' || node.type === 'ArrayExpression') return node
  if (node.type === 'CallExpression') {
    const [argument, ...others] = node['arguments'] as Node[]
    const isDefiner = definers.test(nameOf(node['callee']) ?? '')
    return isDefiner && argument && others.length === 0 ? resolveLiteral(argument, body) : undefined
  }
  if (/Function/.test(node.type)) {
    const returned = returnedBy(node)
    return returned && resolveLiteral(returned, body)
  }
  const declared = declaredValue(nameOf(node), body)
  return declared && resolveLiteral(declared, body)
}

/** What a function returns, if there is only one place where it does. */
function returnedBy({ body }: Node): Node | undefined {
  if (!isNode(body)) return undefined
  if (body.type !== 'BlockStatement') return body
  const returns = [...walk(body)].filter(({ type }) => type === 'ReturnStatement')
  const [only] = returns
  const isLast = only === (body['body'] as Node[]).at(-1)
  return returns.length === 1 && isLast && isNode(only!['argument']) ? only!['argument'] : undefined
}

/** The value of a constant of the module. */
export function declaredValue(name: string | undefined, body: readonly Node[]): Node | undefined {
  if (name === undefined) return undefined
  for (const statement of body) {
    if (statement.type !== 'VariableDeclaration' || statement['kind'] !== 'const') continue
    for (const { id, init } of statement['declarations'] as Node[])
      if (nameOf(id) === name && isNode(init)) return init
  }
  return undefined
}
