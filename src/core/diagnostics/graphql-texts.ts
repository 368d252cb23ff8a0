import { quote } from '../values/describe-value.ts'
import { createDiagnose, type Texts } from './text.ts'

/** GraphQL requests. */
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
    message: `The request selects what route ${quote(d.name)} does not have: ${d.fields.join('; ')}.`,
    fix: 'Add it to the data of the fixture, or correct the query. Until then it is sent as null, or with a schema filled in.',
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
} satisfies Texts

export const diagnoseGraphQL = createDiagnose(graphqlTexts)
