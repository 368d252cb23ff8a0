import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { DocumentChecker } from '../core/graphql/result.ts'
import type { SchemaSource } from '../core/graphql-schema/create-checker.ts'
import type { ResolvedOptions } from '../core/options/options.ts'

/** Checks the documents of the GraphQL endpoint, if an option or a fixture file asks for it. */
export interface LoadedChecker {
  checker?: DocumentChecker | undefined
  /** Why there is no checker although there should be. */
  schemaError?: Diagnostic | undefined
  diagnostics: readonly Diagnostic[]
  /** Absolute paths of the schema files. */
  files: readonly string[]
}

/**
 * Makes a loader that reuses the checker while the schema stays the same, and keeps the last good one when the schema has
 * errors. The whole of graphql-js is imported only when it is needed, since that costs more than everything else.
 *
 * @returns a function that takes the schemas exported by fixture files
 */
export function createCheckerLoader(
  root: string,
  { strict, schema, scalars }: ResolvedOptions['graphql'],
): (exported: readonly SchemaSource[]) => Promise<LoadedChecker> {
  const none: LoadedChecker = { diagnostics: [], files: [] }
  let loaded = none
  let key: string | undefined
  return async (exported) => {
    if (!strict && schema.length === 0 && exported.length === 0) {
      key = undefined
      return (loaded = none)
    }
    const [{ createChecker }, { readSchema }] = await Promise.all([
      import('../core/graphql-schema/create-checker.ts'),
      import('./read/read-schema.ts'),
    ])
    const read = await readSchema(root, schema)
    const sources = [...read.sources, ...exported]
    const newKey = JSON.stringify([sources, read.diagnostics])
    if (newKey === key) return loaded
    key = newKey
    const { checker, diagnostics } =
      read.diagnostics.length > 0
        ? { checker: undefined, diagnostics: read.diagnostics }
        : createChecker(sources, { scalars })
    const fault = diagnostics.find(({ severity }) => severity === 'error')
    const good = checker ?? loaded.checker
    loaded = { checker: good, schemaError: good ? undefined : fault, diagnostics, files: read.files }
    return loaded
  }
}
