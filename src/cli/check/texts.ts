import type { Diagnostic, SourceLocation } from '../../core/diagnostics/diagnostic.ts'
import { createDiagnose, suggest, type Texts } from '../../core/diagnostics/text.ts'
import { quote } from '../../core/values/describe-value.ts'

const onPurpose = 'or write "invalid: true" in a route that is wrong on purpose.'

export const checkTexts = {
  'check-unknown-field': (d: {
    type: string
    field: string
    known: readonly string[]
    mayBeAlias: boolean
  }) => ({
    message: `${d.type} has no field ${quote(d.field)}.`,
    fix: `${suggest(d.field, d.known, 'Its fields')}${d.mayBeAlias ? ' If it is an alias, name the documents with --documents.' : ''}`,
  }),
  'check-missing-field': (d: { operation: string; field: string; type: string }) => ({
    message: `${d.operation} selects ${quote(d.field)}, which is missing here.`,
    fix: `Add ${quote(d.field)}, of the type ${d.type}, ${onPurpose}`,
  }),
  'check-invalid-value': (d: { field: string; type: string; received: string }) => ({
    message: `${quote(d.field)} is of the type ${d.type} and can't be ${d.received}.`,
    fix: `Correct the value, ${onPurpose}`,
  }),
  'check-invalid-enum': (d: { field: string; type: string; value: string; known: readonly string[] }) => ({
    message: `${quote(d.value)} is not a value of the enum ${d.type}, which ${quote(d.field)} has.`,
    fix: suggest(d.value, d.known, 'Its values'),
  }),
  'check-invalid-typename': (d: { type: string; value: string; known: readonly string[] }) => ({
    message: `The type ${quote(d.value)} is not possible where the schema has ${d.type}.`,
    fix: suggest(d.value, d.known, 'Possible types'),
  }),
  'check-operation-invalid': (d: { operation: string; reason: string }) => ({
    message: `${d.operation} does not fit the schema: ${d.reason}`,
    fix: 'Correct the operation, or update the schema.',
  }),
  'check-document-unreadable': (d: { reason: string }) => ({
    severity: 'warning',
    message: `A document of the application can't be read: ${d.reason}`,
    fix: 'Correct it, or leave the file out of --documents.',
  }),
  'check-operation-unanswered': (d: { operation: string }) => ({
    severity: 'note',
    message: `${d.operation} is answered by no route.`,
    fix: 'Add a route for it if the application sends it to the mock API.',
  }),
  'check-operation-unknown': (d: { name: string; known: readonly string[] }) => ({
    severity: 'note',
    message: `No document has the operation ${quote(d.name)} that this route is for.`,
    fix: suggest(d.name, d.known, 'Operations'),
  }),
  'check-label-unknown': (d: { label: string; known: readonly string[] }) => ({
    severity: 'warning',
    message: `No operation of this route has the label ${quote(d.label)} in @defer or @stream.`,
    fix:
      d.known.length > 0
        ? suggest(d.label, d.known, 'Labels')
        : 'Add it to the operation, or remove it here.',
  }),
  'check-body-invalid': (d: { what: string; reason: string; document: string }) => ({
    message: `${d.what}${d.reason}`,
    fix: `Correct the body, update ${d.document}, ${onPurpose}`,
  }),
  'check-status-unknown': (d: { endpoint: string; status: number; known: readonly string[] }) => ({
    message: `${d.endpoint} has no response with the status ${d.status}.`,
    fix: `Its responses: ${d.known.join(', ')}. Correct the status, add the response to the document, ${onPurpose}`,
  }),
  'check-path-unknown': (d: { endpoint: string; document: string }) => ({
    severity: 'warning',
    message: `${d.document} does not have ${d.endpoint}.`,
    fix: 'Correct the path or the method of the route, or add it to the document.',
  }),
  'check-openapi-invalid': (d: { reason: string }) => ({
    message: `The OpenAPI document can't be used: ${d.reason}`,
    fix: 'Give a file with an OpenAPI 3.0 or 3.1 document in YAML or JSON.',
  }),
  'check-pattern-ignored': (d: { pattern: string; why: string }) => ({
    severity: 'note',
    message: `No value was compared with the pattern ${d.pattern}: ${d.why}.`,
    fix: 'Write it as JSON Schema says: in the syntax of JavaScript, without flags. In a repeated group, repeat nothing.',
  }),
  'check-not-invalid': (d: { name: string }) => ({
    message: `The route ${quote(d.name)} says that it is invalid, but it is valid.`,
    fix: 'Remove "invalid: true".',
  }),
} satisfies Texts<'warning' | 'note'>

export const diagnoseCheck = createDiagnose<typeof checkTexts, 'warning' | 'note'>(checkTexts)

export interface CheckFinding extends Omit<Diagnostic, 'code' | 'severity'> {
  code: string
  severity: 'error' | 'warning' | 'note'
  /** Text that is the same wherever one mistake shows. Default: the message. */
  cause?: string
  operation?: SourceLocation & { name?: string | undefined }
  /** The requests to a backend that have shown it. */
  sent?: string
}
