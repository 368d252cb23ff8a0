import { quote } from '../values/describe-value.ts'
import { createDiagnose, suggest, type Texts } from './text.ts'

const isTypename = (field: string) => field.includes('__typename')
const fixOfMissing =
  'Add it to the data of the fixture, or correct the query. Until then, it is sent as null or, with a schema, filled in.'
const fixOfTypename =
  'A "__typename" is left out where the data does not have it. A connection and its edges take it from the items if all have the same one; else name it with "paginate.typeName" or, beside "$list", with "connection".'

export const graphqlTexts = {
  'graphql-refused': (d: { request: string; reason: string }) => ({
    severity: 'warning',
    message: `${d.request} can't be run: ${d.reason}`,
    fix: 'Correct the query, its variables or its headers; the response contains the same message.',
  }),
  'graphql-query-wrong': (d: { request: string; name: string; reason: string }) => ({
    severity: 'warning',
    message: `The query of ${d.request} is wrong, but route ${quote(d.name)} answered it: ${d.reason}`,
    fix: 'Correct the query, which a GraphQL server would refuse; with the option "graphql.strict" it is refused here too. To select a route by its name alone, send "operationName" without a query. This is shown once for each query.',
  }),
  'graphql-field-missing': (d: { name: string; fields: readonly string[] }) => ({
    severity: 'warning',
    message: `The request selects fields that route ${quote(d.name)} does not have: ${d.fields.join('; ')}.`,
    fix: [
      ...(d.fields.every(isTypename) ? [] : [fixOfMissing]),
      ...(d.fields.some(isTypename) ? [fixOfTypename] : []),
    ].join(' '),
  }),
  'graphql-other-data': (d: { name: string; operation: string; fields: readonly string[] }) => ({
    severity: 'warning',
    message: `Route ${quote(d.name)} has answered ${d.operation}, and has no data for it: ${d.fields.join(', ')}.`,
    fix: 'Add a route for it, with `when: { operationName: … }`. With such a selector in this route, operations without a route fail.',
  }),
  'graphql-data-missing': (d: { name: string; keys: readonly string[] }) => ({
    severity: 'warning',
    message: `A GraphQL client finds no data in the answer of route ${quote(d.name)}: ${d.keys.map(quote).join(', ')} must be in "data".`,
    fix: `Write \`body: { data: { ${d.keys[0]}: … } }\`; in a "patch", \`data.${d.keys[0]}\`. Until then, it is sent as it is.`,
  }),
  'graphql-errors-unreadable': (d: { name: string }) => ({
    severity: 'warning',
    message: `A GraphQL client can't read the "errors" of route ${quote(d.name)}: they must be a list of objects with a "message".`,
    fix: 'Write `errors: [{ message: "No such ticket" }]`. Until then, they are sent as they are.',
  }),
  'graphql-batch-differs': (d: { dropped: readonly string[] }) => ({
    severity: 'warning',
    message: `The answers of a batch differ in ${d.dropped.join(', ')}: a batch has one status and one set of headers, so these are left out.`,
    fix: 'Give the routes that answer together the same status and headers, or turn batching off in the client.',
  }),
  'graphql-value-rejected': (d: { name: string; values: readonly string[] }) => ({
    severity: 'warning',
    message: `The schema does not allow values of route ${quote(d.name)}: ${d.values.join('; ')}`,
    fix: 'Correct the value in the fixture, or its type in the schema. Until then, the answer has an error in its place.',
  }),

  // The GraphQL schema.
  'scalar-unknown': (d: { name: string; known: readonly string[] }) => ({
    message: `The option "graphql.scalars" names ${quote(d.name)}, which is not a scalar of the schema.`,
    fix: suggest(d.name, d.known, 'Scalars of the schema'),
  }),
  'schema-not-found': (d: { place: string }) => ({
    message: `There is no schema file at ${quote(d.place)}.`,
    fix: 'Correct the option "graphql.schema", or --schema: a file, a folder or a glob, relative to the option "root".',
  }),
  'schema-unreadable': (d: { reason: string }) => ({
    message: `The schema file can't be read: ${d.reason}`,
    fix: 'Give SDL in a file that ends in .graphql, .graphqls or .gql, or the answer to an introspection query in one that ends in .json.',
  }),
  'schema-invalid': (d: { reason: string }) => ({
    message: `The GraphQL schema can't be used: ${d.reason}`,
    fix: 'Correct the SDL. It is read again as soon as it is saved.',
  }),
  'schema-flawed': (d: { reason: string }) => ({
    severity: 'warning',
    message: `The GraphQL schema has a flaw, and is used without it: ${d.reason}`,
    fix: 'Correct the SDL, or leave it if it is not yours. The command "check" treats it as an error.',
  }),

  // GraphiQL.
  'graphql-not-installed': () => ({
    message:
      'The options "graphql.schema" and "graphql.strict" need the package "graphql", which is not installed.',
    fix: 'Run `npm install --save-dev graphql`, and start again.',
  }),
  'graphiql-not-installed': (d: { packageName: string }) => ({
    severity: 'warning',
    message: `GraphiQL can't be shown: the package ${quote(d.packageName)} is not installed.`,
    fix: `Run \`npm install --save-dev ${d.packageName}\` and reload the page, or remove the option "graphql.graphiql".`,
  }),
  'graphiql-failed': (d: { packageName: string; reason: string }) => ({
    message: `GraphiQL can't be shown: the package ${quote(d.packageName)} failed: ${d.reason}`,
    fix: `Run \`npm install --save-dev ${d.packageName}\` again and reload the page.`,
  }),
} satisfies Texts

export const diagnoseGraphQL = createDiagnose(graphqlTexts)
