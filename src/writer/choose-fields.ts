import { conditionsKey, type Conditions } from './field-values.ts'

/** A request as far as choosing is concerned: its fields, and a label that is the same for requests with the same answers. */
export interface Labelled {
  fields: Conditions
  label: string
}

/**
 * The fewest fields that tell requests with different answers apart, as far as that is possible: the field that separates
 * most comes first, and among equal ones the first in the body.
 *
 * @returns the ids of the fields
 */
export function chooseFields(requests: readonly Labelled[]): string[] {
  const chosen: string[] = []
  const candidates = new Set(requests.flatMap(({ fields }) => [...fields.keys()]))
  let mixed = countMixed(requests, chosen)
  while (mixed > 0) {
    let best: { id: string; mixed: number } | undefined
    for (const id of candidates) {
      const left = countMixed(requests, [...chosen, id])
      if (left < (best?.mixed ?? mixed)) best = { id, mixed: left }
    }
    if (!best) {
      // No field alone separates more. All of them together may.
      const all = [...chosen, ...candidates]
      return countMixed(requests, all) < mixed ? all : chosen
    }
    chosen.push(best.id)
    candidates.delete(best.id)
    mixed = best.mixed
  }
  return chosen
}

/** How many labels too many there are among requests that are equal in some fields. */
function countMixed(requests: readonly Labelled[], ids: readonly string[]): number {
  const groups = new Map<string, Set<string>>()
  for (const { fields, label } of requests) {
    const key = conditionsKey(pick(fields, ids))
    const labels = groups.get(key)
    if (labels) labels.add(label)
    else groups.set(key, new Set([label]))
  }
  let count = 0
  for (const labels of groups.values()) count += labels.size - 1
  return count
}

export function pick(fields: Conditions, ids: readonly string[]): Conditions {
  return new Map(ids.flatMap((id) => (fields.has(id) ? [[id, fields.get(id)!] as const] : [])))
}
