import {
  buildSchema,
  FieldsOnCorrectTypeRule,
  FragmentsOnCompositeTypesRule,
  GraphQLScalarType,
  GraphQLSchema,
  isIntrospectionType,
  KnownDirectivesRule,
  KnownTypeNamesRule,
  OverlappingFieldsCanBeMergedRule,
  PossibleFragmentSpreadsRule,
  specifiedDirectives,
  specifiedRules,
  specifiedScalarTypes,
  VariablesAreInputTypesRule,
  type DirectiveNode,
  type FieldNode,
  type GraphQLNamedType,
  type ValidationRule,
} from 'graphql/index.js'

const rootTypes = buildSchema(`
  type Query {
    "The types are not known: the option \`graphql.schema\` gives them."
    _: Boolean
  }
  type Mutation {
    "The types are not known: the option \`graphql.schema\` gives them."
    _: Boolean
  }
`)

/** The usual root types, the built-in scalars and directives, and introspection. */
export const minimalSchema = new GraphQLSchema({ ...rootTypes.toConfig(), types: specifiedScalarTypes })

/** For validation, an unknown type is a scalar that accepts every value. */
export const anySchema = Object.create(minimalSchema, {
  getType: {
    value: (name: string): GraphQLNamedType => minimalSchema.getType(name) ?? new GraphQLScalarType({ name }),
  },
}) as GraphQLSchema

/** All other fields are unknown. */
const introspectionFieldsRule: ValidationRule = (context) => {
  const { Field } = FieldsOnCorrectTypeRule(context) as { Field: (node: FieldNode) => void }
  return {
    Field(node) {
      const parent = context.getParentType()
      if (parent && isIntrospectionType(parent)) Field(node)
    },
  }
}

function directivesRule(isChecked: (name: string, schema: GraphQLSchema) => boolean): ValidationRule {
  return (context) => {
    const { Directive } = KnownDirectivesRule(context) as { Directive: (...visit: unknown[]) => void }
    return {
      Directive(node: DirectiveNode, ...visit) {
        if (isChecked(node.name.value, context.getSchema())) Directive(node, ...visit)
      },
    }
  }
}

/** A server may have other directives. */
const builtInDirectivesRule = directivesRule((name) => specifiedDirectives.some((one) => one.name === name))

/** Many servers know `@defer` and `@stream` without saying so in their schema. */
const putOffDirectivesRule = directivesRule(
  (name, schema) => (name !== 'defer' && name !== 'stream') || schema.getDirective(name) !== undefined,
)

export const schemaRules = specifiedRules.map((rule) =>
  rule === KnownDirectivesRule ? putOffDirectivesRule : rule,
)

const typeRules: readonly ValidationRule[] = [
  FragmentsOnCompositeTypesRule,
  KnownTypeNamesRule,
  OverlappingFieldsCanBeMergedRule,
  PossibleFragmentSpreadsRule,
  VariablesAreInputTypesRule,
]

/** The rules of the specification that can be checked without the types. */
export const anySchemaRules = specifiedRules.flatMap((rule) => {
  if (typeRules.includes(rule) || rule.name === 'KnownOperationTypesRule') return [] // the latter in graphql-js 17
  if (rule === FieldsOnCorrectTypeRule) return introspectionFieldsRule
  return rule === KnownDirectivesRule ? builtInDirectivesRule : rule
})
