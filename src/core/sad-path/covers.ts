import { headerOf, type PreparedResponse } from '../response/prepare-response.ts'
import { isRecord } from '../values/values.ts'
import { writtenPath } from './positions.ts'
import type { SadChange, SadPath } from './sad-path.ts'

/** Milliseconds from which a delay counts as one on purpose. */
const slow = 1000

/** Whether a response, with its JSON body, goes wrong in the same way, at any item of a list. The good answer does not. */
export function covers(
  { change }: SadPath,
  { response, body }: { response: PreparedResponse; body: unknown },
  good: unknown,
): boolean {
  if (!change) return false
  const { status, fault, delay, patch = [], errors = [] } = change
  if (fault !== undefined) return response.fault === fault
  if (delay !== undefined) return typeof response.delay === 'object' || response.delay >= slow
  if ('body' in change && status === undefined) return isLike(body, change.body) && !isLike(good, change.body)
  if (status !== undefined)
    return (
      response.status === status &&
      (status >= 400 || headerOf(response, 'content-type') === change.headers?.['content-type'])
    )
  if (response.status >= 400) return false
  const has = (value: unknown) => patch.every((one) => hasValue(value, one.parts, one.value))
  return errors.length > 0
    ? errors.every((error) => hasError(body, error)) && has(body)
    : has(body) && !has(good)
}

function hasValue(value: unknown, [part, ...rest]: readonly string[], wanted: unknown): boolean {
  if (part === undefined) return isLike(value, wanted)
  if (Array.isArray(value)) return value.some((item) => hasValue(item, rest, wanted))
  if (!isRecord(value)) return false
  const isAbsent = !Object.hasOwn(value, part)
  return isAbsent ? wanted === undefined && rest.length === 0 : hasValue(value[part], rest, wanted)
}

/** Lists of the same length, and texts that are very long. */
function isLike(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return Array.isArray(value) && value.length === wanted.length
  if (isRecord(wanted)) return isRecord(value) && Object.keys(value).length === 0
  if (typeof wanted === 'string' && wanted !== '') return typeof value === 'string' && value.length > 500
  return value === wanted && wanted !== undefined
}

function hasError(body: unknown, { path, extensions }: NonNullable<SadChange['errors']>[number]): boolean {
  const errors = isRecord(body) && Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : []
  return errors.filter(isRecord).some((error) => {
    if (path)
      return (
        Array.isArray(error['path']) && withoutIndexes(error['path'] as typeof path) === withoutIndexes(path)
      )
    const { extensions: own } = error
    return (isRecord(own) ? own['code'] : undefined) === extensions?.['code']
  })
}

function withoutIndexes(path: readonly (string | number)[]): string {
  return writtenPath(path.map((part) => (typeof part === 'number' ? 0 : part)))
}
