import { quote } from '../values/describe-value.ts'
import { list, suggest, type Texts } from './text.ts'

/** GraphQL requests, the schema, and GraphiQL. */
export const graphqlTexts = {
  'graphql-refused': (d: { request: string; reason: string }) => ({
    severity: 'warning',
    message: `${d.request} can't be run: ${d.reason}`,
    fix: 'Correct the query, its variables or its headers; the response contains the same message.',
  }),
  'graphql-field-missing': (d: { name: string; fields: readonly string[] }) => ({
    severity: 'warning',
    message: `The request selects what route ${quote(d.name)} does not have: ${d.fields.join('; ')}.`,
    fix: 'Add it to the data of the fixture, or correct the query. Until then it is sent as null, or with a schema filled in.',
  }),
  'graphql-path-other': (d: { path: string; keys: readonly string[]; paths: readonly string[] }) => ({
    severity: 'warning',
    message: `${list(d.keys)} can't work at ${quote(d.path)}: the GraphQL endpoint is ${list(d.paths)}.`,
    fix: `Set the option "graphql.path" to ${quote(d.path)}, or to a list that has it; or correct the path of the route.`,
  }),
  'graphql-batch-differs': (d: { dropped: readonly string[] }) => ({
    severity: 'warning',
    message: `The answers of a batch differ in ${d.dropped.join(', ')}: a batch has one status and one set of headers, so these are left out.`,
    fix: 'Give the routes that answer together the same status and headers, or turn batching off in the client.',
  }),
  'graphql-value-rejected': (d: { name: string; values: readonly string[] }) => ({
    severity: 'warning',
    message: `The schema does not allow values of route ${quote(d.name)}: ${d.values.join('; ')}`,
    fix: 'Correct the value in the fixture, or its type in the schema. Until then the answer has an error in its place.',
  }),
  'scalar-unknown': (d: { name: string; known: readonly string[] }) => ({
    message: `The option "graphql.scalars" names ${quote(d.name)}, which is not a scalar of the schema.`,
    fix: suggest(d.name, d.known, 'Scalars of the schema'),
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
  'schema-not-found': (d: { place: string }) => ({
    message: `There is no schema file at ${quote(d.place)}.`,
    fix: 'Correct the option "graphql.schema": a file, a folder or a glob, relative to the option "root".',
  }),
  'schema-unreadable': (d: { reason: string }) => ({
    message: `The schema file can't be read: ${d.reason}`,
    fix: 'Give SDL in a file that ends in .graphql, .graphqls or .gql, and check that its permissions allow reading.',
  }),
  'schema-invalid': (d: { reason: string }) => ({
    message: `The GraphQL schema can't be used: ${d.reason}`,
    fix: 'Correct the SDL. It is read again as soon as it is saved.',
  }),
} satisfies Texts
