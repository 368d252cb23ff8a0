/** The part of JSON Schema that the schema of fixture files uses. */
export interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  enum?: unknown[]
  const?: unknown
  type?: string | string[]
  description?: string
}

export interface Completion {
  label: string
  /** Replaces the text from `Completions.from` to the caret. */
  text: string
  help: string
}

export interface Completions {
  from: number
  list: Completion[]
}

/** Completions at the caret in a fixture file: keys, or the values of a key. */
export function complete(
  text: string,
  caret: number,
  root: JsonSchema,
  isJson = false,
): Completions | undefined {
  const { path, key, typed, siblings, isBetween } = contextAt(text, caret, isJson)
  if (isBetween) return undefined
  const from = caret - typed.length
  const here = path.reduce((schemas, name) => step(schemas, name, root), expand(root, root))
  const before = isJson ? (text[from - 1] === '"' ? 'quoted' : 'json') : text[from - 1]!
  const list =
    key === undefined ? keysOf(here, siblings, root, before) : valuesOf(step(here, key, root), before)
  const fitting = list.filter(({ label }) => label.startsWith(typed) && label !== typed)
  return fitting.length > 0 ? { from, list: fitting } : undefined
}

/** The description of the key that the caret is in, or whose value; `undefined` for an unknown one. */
export function describeKey(
  text: string,
  caret: number,
  root: JsonSchema,
  isJson = false,
): string | undefined {
  const end = caret + /^[$\w.-]*/.exec(text.slice(caret))![0].length
  const { path, key, typed } = contextAt(text, end, isJson)
  const here = path.reduce((schemas, name) => step(schemas, name, root), expand(root, root))
  return step(here, key ?? typed, root).find(({ description }) => description)?.description
}

interface Context {
  path: string[]
  /** Set where a value is expected. */
  key: string | undefined
  typed: string
  /** Keys that the object has already. */
  siblings: Set<string>
  /** After a text, where only a comma or a colon may follow. */
  isBetween?: boolean
}

function contextAt(text: string, caret: number, isJson: boolean): Context {
  return isJson ? contextInJson(text.slice(0, caret)) : contextInYaml(text, caret)
}

function contextInJson(before: string): Context {
  const { path, key, inner, isAfterText } = insideFlow(before)
  const isBetween = isAfterText || (inner?.isList === true && key === undefined)
  const [typed] = /[$\w.-]*$/.exec(before)!
  return { path, key, typed, siblings: inner?.keys ?? new Set(), isBetween }
}

const blockKey = /^(\s*(?:- +)*)([$\w.-]+):(?:\s+&\S+)?\s*(?:#.*)?$/
const anyKey = /^(\s*(?:- +)*)([$\w.-]+):/

function contextInYaml(text: string, caret: number): Context {
  const before = text.slice(0, caret).split('\n')
  const line = before.pop()!
  const [, lead = '', rest = ''] = /^(\s*(?:- +)*)(.*)$/.exec(line) ?? []
  const path: string[] = []
  const siblings = new Set<string>()
  let column = lead.length
  let isFirstKey = lead.includes('-')
  for (const one of before.reverse()) {
    const [, indent = '', name] = anyKey.exec(one) ?? []
    if (name === undefined) continue
    if (indent.length === column && path.length === 0 && !isFirstKey) siblings.add(name)
    if (indent.length === column && indent.includes('-')) isFirstKey = true
    if (indent.length >= column) continue
    column = indent.length
    isFirstKey = true
    if (blockKey.test(one)) path.unshift(name)
  }
  const { path: ofFlow, key, inner } = insideFlow(rest)
  const [typed] = /[$\w.-]*$/.exec(rest)!
  return { path: [...path, ...ofFlow], key, typed, siblings: inner?.keys ?? siblings }
}

/** A key with its colon, a text and how it ends, or what opens, divides or closes lists and objects. */
const flowToken = /"((?:[^"\\]|\\.)*)"\s*:|([$\w.-]+):(?=\s|$)|"(?:[^"\\]|\\.)*("?)|'[^']*'|[{}[\],]/g

/** Finds what is open at the end of a text in flow style, as JSON is: `when: { query: { pa` is inside of `when` and `query`. */
function insideFlow(text: string) {
  const open: { name: string | undefined; keys: Set<string>; isList: boolean }[] = []
  let key: string | undefined
  let isAfterText = false
  for (const [part, quoted, plain, end] of text.matchAll(flowToken)) {
    const name = quoted ?? plain
    isAfterText = end === '"'
    if (name !== undefined) {
      key = name
      open.at(-1)?.keys.add(name)
    } else if (/^[{}[\],]$/.test(part)) {
      if (part === '{' || part === '[') open.push({ name: key, keys: new Set(), isList: part === '[' })
      else if (part !== ',') open.pop()
      key = undefined
    }
  }
  return { path: open.flatMap(({ name }) => name ?? []), key, inner: open.at(-1), isAfterText }
}

/** All that a schema may be; a list stands for its items. */
function expand(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const { $ref, anyOf = [], oneOf = [], allOf = [], items } = schema
  const referred = $ref === undefined ? undefined : root.$defs?.[$ref.slice($ref.lastIndexOf('/') + 1)]
  const parts = [...anyOf, ...oneOf, ...allOf, ...(referred ? [referred] : []), ...(items ? [items] : [])]
  return [schema, ...parts.flatMap((part) => expand(part, root))]
}

function step(schemas: JsonSchema[], name: string, root: JsonSchema): JsonSchema[] {
  return schemas.flatMap(({ properties, additionalProperties }) => {
    const own = properties && Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    return typeof own === 'object' ? expand(own, root) : []
  })
}

/** Stands before a key: a character of YAML, or in JSON a quote that is there already. */
type Before = string

function keysOf(
  schemas: JsonSchema[],
  siblings: ReadonlySet<string>,
  root: JsonSchema,
  before: Before,
): Completion[] {
  const found = new Map<string, Completion>()
  for (const { properties = {} } of schemas)
    for (const [label, { description = '' }] of Object.entries(properties)) {
      // The schema describes a list, and an object around it; a file is a list.
      if (siblings.has(label) || found.has(label) || properties === root.properties) continue
      const text = before === 'json' ? `"${label}": ` : before === 'quoted' ? `${label}": ` : `${label}: `
      found.set(label, { label, text, help: description.replaceAll('\n', ' ').replace(/(\.) .*$/s, '$1') })
    }
  return [...found.values()]
}

function valuesOf(schemas: JsonSchema[], before: Before): Completion[] {
  const values = schemas.flatMap(({ enum: listed = [], const: only, type }) => [
    ...listed,
    ...(only === undefined ? [] : [only]),
    ...(type === 'boolean' ? [true, false] : []),
  ])
  return [...new Set(values)].map((value) => {
    const label = String(value)
    const json = JSON.stringify(value)
    const text = before === 'json' ? json : before === 'quoted' ? json.slice(1) : label
    return { label, text: before === ':' ? ` ${text}` : text, help: '' }
  })
}
