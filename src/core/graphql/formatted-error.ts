import type { ASTNode } from 'graphql'

/** Lines and columns of the query text count from 1, columns in UTF-16 units. */
export interface ErrorLocation {
  line: number
  column: number
}

/** @see https://spec.graphql.org/October2021/#sec-Errors.Error-result-format */
export interface FormattedError {
  readonly message: string
  readonly locations?: readonly ErrorLocation[] | undefined
  readonly path?: readonly (string | number)[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** The keys are in the order of the specification's examples. */
export function located(error: FormattedError, path: FormattedError['path'], nodes: readonly ASTNode[]) {
  const { message, locations = nodes.map(locationOf) } = error
  return Object.assign({ message, locations }, error, { locations, path })
}

export function locationOf({ loc }: ASTNode): ErrorLocation {
  const { line, column } = loc!.startToken
  return { line, column }
}

export function describeErrors(errors: readonly FormattedError[]): string {
  return errors
    .map(({ message, locations: [first] = [] }) =>
      first ? `${message.replace(/\.$/, '')} (line ${first.line}, column ${first.column}).` : message,
    )
    .join(' ')
}
