interface Severe {
  readonly severity: 'error' | 'warning' | 'note'
}

/** Whether a file or an option is not used as it is written. */
export function isError({ severity }: Severe): boolean {
  return severity === 'error'
}

export function errorsIn<T extends Severe>(diagnostics: readonly T[]): T[] {
  return diagnostics.filter(isError)
}
