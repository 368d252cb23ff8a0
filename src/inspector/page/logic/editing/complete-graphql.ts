import type { FieldDefinitionNode, InputValueDefinitionNode, TypeNode } from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import { parse } from 'graphql/language/parser.js'
import { print } from 'graphql/language/printer.js'
import type { Completions } from './complete.ts'

export interface GraphqlTypes {
  /** `query: 'Query'` */
  roots: Record<string, string>
  fields: Map<string, readonly FieldDefinitionNode[]>
}

export function readTypes(sdl: string): GraphqlTypes {
  const roots: GraphqlTypes['roots'] = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }
  const fields: GraphqlTypes['fields'] = new Map()
  for (const definition of parse(sdl, { noLocation: true }).definitions) {
    if (definition.kind === Kind.SCHEMA_DEFINITION)
      for (const { operation, type } of definition.operationTypes) roots[operation] = type.name.value
    if (definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.INTERFACE_TYPE_DEFINITION)
      fields.set(definition.name.value, definition.fields ?? [])
  }
  return { roots, fields }
}

const token =
  /#.*|"""[^]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?|(?:\.\.\.|\bfragment\s+\w+)\s*on\s+(?<type>\w+)|(?<name>[$@]?\w+)|[{}()]/g

/** The fields of the object, or the arguments of the field, at the caret of a document. */
export function completeGraphql(
  text: string,
  caret: number,
  { roots, fields }: GraphqlTypes,
): Completions | undefined {
  const [typed] = /\w*$/.exec(text.slice(0, caret))!
  const from = caret - typed.length
  const around: (string | undefined)[] = []
  let field: FieldDefinitionNode | undefined
  let isInArguments = false
  /** Type whose fields are in the next braces. */
  let next = roots['query']
  for (const { 0: part, groups } of text.slice(0, from).matchAll(token)) {
    const { type, name } = groups!
    if (part === ')') isInArguments = false
    else if (isInArguments) continue
    else if (part === '(') isInArguments = around.length > 0
    else if (type !== undefined) next = type
    else if (part === '{') around.push(next)
    else if (part === '}') {
      around.pop()
      next = roots['query']
    } else if (name !== undefined && around.length === 0) next = roots[name] ?? next
    else if (name !== undefined && /^\w/.test(name)) {
      field = fields.get(around.at(-1) ?? '')?.find((one) => one.name.value === name)
      next = field && innerType(field.type)
    }
  }
  const isValue = isInArguments && /:\s*$/.test(text.slice(0, from))
  const found = isInArguments ? field?.arguments : fields.get(around.at(-1) ?? '')
  const list = (isValue ? [] : (found ?? [])).filter(
    ({ name: { value } }) => value.startsWith(typed) && value !== typed,
  )
  return list.length > 0 ? { from, list: list.map((one) => toCompletion(one, isInArguments)) } : undefined
}

function toCompletion(
  { name: { value }, type, description }: FieldDefinitionNode | InputValueDefinitionNode,
  isArgument: boolean,
) {
  const help = [print(type), description?.value.split('\n', 1)].filter(Boolean).join('. ')
  return { label: value, text: isArgument ? `${value}: ` : value, help }
}

function innerType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : innerType(type.type)
}
