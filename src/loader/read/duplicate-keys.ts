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
  let keys = countKeys(text)
  const values = [value]
  for (let one = values.pop(); values.length > 0 || one !== undefined; one = values.pop()) {
    if (typeof one !== 'object' || one === null) continue
    const inner = Object.values(one)
    if (!Array.isArray(one)) keys -= inner.length
    for (const entry of inner) if (typeof entry === 'object' && entry !== null) values.push(entry)
  }
  return keys > 0
}

/** The number of strings in valid JSON that are followed by a colon. */
function countKeys(text: string): number {
  let keys = 0
  for (let start = text.indexOf('"'); start !== -1;) {
    let next = endOfString(text, start) + 1
    while (text.charCodeAt(next) <= 32) next++
    if (text[next] === ':') keys++
    start = text.indexOf('"', next)
  }
  return keys
}

/** The index of the quote that ends a string, in valid JSON. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, index: number): boolean {
  let start = index
  while (text.charCodeAt(start - 1) === 92 /* \ */) start--
  return (index - start) % 2 === 1
}
