import type { ValueNode } from '@humanwhocodes/momoa'

/** The second occurrence of a key in the same object of a parsed text. */
export function findDuplicateKey(body: ValueNode): { key: string; line: number; column: number } | undefined {
  const nodes: ValueNode[] = [body]
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (node.type === 'Array') for (const { value } of node.elements.toReversed()) nodes.push(value)
    if (node.type !== 'Object') continue
    const seen = new Set<string>()
    for (const { name } of node.members) {
      const key = name.type === 'String' ? name.value : name.name
      if (seen.has(key)) return { key, line: name.loc.start.line, column: name.loc.start.column }
      seen.add(key)
    }
    for (const { value } of node.members.toReversed()) nodes.push(value)
  }
  return undefined
}

/** Whether any object of a valid JSON text has a duplicate key: the text then has more keys than its value. */
export function hasDuplicateKey(text: string, value: unknown): boolean {
  let keys = 0
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*:?/g)) if (token.endsWith(':')) keys++
  const values = [value]
  for (let one = values.pop(); values.length > 0 || one !== undefined; one = values.pop()) {
    if (typeof one !== 'object' || one === null) continue
    const inner = Object.values(one)
    if (!Array.isArray(one)) keys -= inner.length
    for (const entry of inner) if (typeof entry === 'object' && entry !== null) values.push(entry)
  }
  return keys > 0
}
