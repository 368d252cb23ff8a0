import { quote } from '../values/describe-value.ts'
import { createDiagnose, suggest, type Texts } from './text.ts'

/** The GraphQL schema. */
export const schemaTexts = {
  'scalar-unknown': (d: { name: string; known: readonly string[] }) => ({
    message: `The option "graphql.scalars" names ${quote(d.name)}, which is not a scalar of the schema.`,
    fix: suggest(d.name, d.known, 'Scalars of the schema'),
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

export const diagnoseSchema = createDiagnose(schemaTexts)
