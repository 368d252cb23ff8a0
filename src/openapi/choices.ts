import { isRecord } from '../core/values/values.ts'

type Schema = Record<string, unknown>

/** The choices that may have a value which is listed around them. */
export function fittingChoices(
  choices: readonly unknown[],
  around: Schema,
  resolve: (choice: unknown) => unknown,
): unknown[] {
  const usual = choices.filter((one) => !isNull(one))
  const allowed = listedValues(around)
  if (!allowed) return usual
  const fitting = usual.filter(
    (one) => listedValues(resolve(one))?.some((value) => allowed.includes(value)) ?? true,
  )
  return fitting.length > 0 ? fitting : usual
}

function listedValues(schema: unknown): unknown[] | undefined {
  if (!isRecord(schema)) return undefined
  const { enum: values } = schema
  return 'const' in schema ? [schema['const']] : Array.isArray(values) ? values : undefined
}

export function isNull(schema: unknown): boolean {
  return isRecord(schema) && (schema['type'] === 'null' || schema['const'] === null)
}

export function mappedNames({ mapping }: Schema, reference: string): string[] {
  const all = Object.entries(isRecord(mapping) ? mapping : {})
  const isTarget = (target: unknown) => target === reference || target === referenceName(reference)
  return all.filter(([, target]) => isTarget(target)).map(([name]) => name)
}

export function referenceName(reference: string): string {
  return reference.split('/').at(-1)!
}
