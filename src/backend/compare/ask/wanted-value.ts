import { isRecord } from '../../../core/values/values.ts'

/**
 * A value that meets a condition of a selector. `none`: the request has no such value. `unknown`: the condition names none.
 *
 * @example
 * wantedValue({ $gt: 5 }) // { value: 6 }
 */
export function wantedValue(condition: unknown): { value: unknown } | 'none' | 'unknown' {
  if (condition === null) return 'none'
  if (!isRecord(condition) || condition instanceof RegExp) return { value: condition }
  const { $eq, $in, $exists, $gte, $gt, $lte, $lt, $regex } = condition
  if ($eq !== undefined) return wantedValue($eq)
  if (Array.isArray($in) && $in.length > 0) return wantedValue($in[0])
  if ($gte !== undefined) return { value: $gte }
  if (typeof $gt === 'number') return { value: $gt + 1 }
  if ($lte !== undefined) return { value: $lte }
  if (typeof $lt === 'number') return { value: $lt - 1 }
  const literal =
    typeof $regex === 'string' ? /^\^((?:[^\\.*+?()[\]{}|^$]|\\[^\w\s])+)\$?$/.exec($regex)?.[1] : undefined
  if (literal !== undefined) return { value: literal.replaceAll('\\', '') }
  const leavesOut = ['$ne', '$nin', '$only', '$not', '$nor'].some((name) => Object.hasOwn(condition, name))
  return $exists === false || ($exists === undefined && leavesOut) ? 'none' : 'unknown'
}
