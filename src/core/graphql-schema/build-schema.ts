import {
  buildASTSchema,
  isTypeSystemDefinitionNode,
  isTypeSystemExtensionNode,
  Kind,
  parse,
  Source,
  validateSchema,
  type DefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql/index.js'
import { validateSDL } from 'graphql/validation/validate.js'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseGraphQL } from '../diagnostics/graphql-texts.ts'
import { codeFrame, formatPlace } from '../diagnostics/format.ts'

export interface SchemaSource {
  file: string
  /** SDL; operations and fragments are ignored. */
  text: string
}

/** A schema can have thousands of errors; the first ones show the cause. */
const maxDiagnostics = 20

/** Merges the sources: a file can extend the types of another. Never throws. */
export function buildSchema(sources: readonly SchemaSource[]): {
  schema: GraphQLSchema | undefined
  diagnostics: Diagnostic[]
} {
  const report = (errors: readonly Error[]) => ({
    schema: undefined,
    diagnostics: errors.slice(0, maxDiagnostics).map((error) => toDiagnostic(error, sources)),
  })
  try {
    const syntaxErrors: Error[] = []
    const definitions = sources.flatMap((source) => parseSource(source, syntaxErrors))
    if (syntaxErrors.length > 0) return report(syntaxErrors)
    const document = { kind: Kind.DOCUMENT as const, definitions }
    const sdlErrors = validateSDL(document)
    if (sdlErrors.length > 0) return report(sdlErrors)
    const schema = buildASTSchema(document, { assumeValidSDL: true })
    const schemaErrors = validateSchema(schema)
    return schemaErrors.length > 0 ? report(schemaErrors) : { schema, diagnostics: [] }
  } catch (error) {
    return report([error as Error])
  }
}

function parseSource({ file, text }: SchemaSource, errors: Error[]): DefinitionNode[] {
  // Editors can leave a file empty for a moment while they save it.
  if (/^(?:[\s,\uFEFF]|#.*)*$/.test(text)) return []
  try {
    const { definitions } = parse(new Source(text, file))
    return definitions.filter((node) => isTypeSystemDefinitionNode(node) || isTypeSystemExtensionNode(node))
  } catch (error) {
    errors.push(error as Error)
    return []
  }
}

function toDiagnostic(error: Error | GraphQLError, sources: readonly SchemaSource[]): Diagnostic {
  const [place = {}, ...others] = placesOf(error)
  const also = others.length > 0 ? ` (also at ${others.slice(0, 3).map(formatPlace).join(', ')})` : ''
  const diagnostic = diagnoseGraphQL('schema-invalid', place, { reason: `${error.message}${also}` })
  const text = sources.find(({ file }) => file === diagnostic.file)?.text
  if (text === undefined || diagnostic.line === undefined) return diagnostic
  return { ...diagnostic, frame: codeFrame(text, diagnostic.line, diagnostic.column) }
}

function placesOf(error: Error | GraphQLError): { file: string; line: number; column: number }[] {
  if (!('locations' in error)) return []
  // A syntax error has no nodes, only a source.
  const files = error.nodes?.flatMap(({ loc }) => loc?.source.name ?? []) ?? []
  return (error.locations ?? []).map(({ line, column }, index) => ({
    file: files[index] ?? error.source!.name,
    line,
    column,
  }))
}
