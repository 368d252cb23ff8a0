import type { OutputUnit } from '@cfworker/json-schema'
import { isRecord, ownValue, valueAt } from '../core/values/values.ts'
import { keysOfReference, type Documents, type DocumentPart } from './documents.ts'
import type { Generated } from './example-text.ts'
import { exampleValue, type Variant } from './example-value.ts'
import type { Validate } from './validate.ts'

const variants: readonly Variant[] = [
  {},
  ...[0, 1, 2, 3].map((choice): Variant => ({ isMade: true, choice })),
  ...[0, 1, 2, 3, 4, 5].map((choice): Variant => ({ isMade: true, isSparse: true, choice })),
]

interface Fitting {
  value: unknown
  /** The errors that are left. */
  wrong: readonly OutputUnit[]
}

/**
 * The first example that fits the schema, else one with as little as possible changed, else a value made from the schema.
 *
 * @throws Error when a reference leads nowhere
 */
export function fittingValue(
  schema: DocumentPart,
  examples: readonly unknown[],
  documents: Documents,
  validate: Validate,
  generated?: Generated,
): Fitting {
  const judge = (value: unknown): Fitting => ({ value, wrong: validate(schema, value) })
  let best: Fitting | undefined
  const take = (value: unknown) => {
    const other = judge(value)
    if (!best || other.wrong.length < best.wrong.length) best = other
    return best.wrong.length === 0
  }
  for (const example of examples) if (take(example)) return best!
  for (const variant of variants) {
    const made = exampleValue(schema, documents, { ...variant, generated })
    // A validator may report an error only after another one is corrected.
    for (let round = 0; round < 3 && best; round++)
      if (take(corrected(best, made, variant.isSparse))) return best
    if (take(made)) return best!
  }
  return best!
}

/**
 * Takes the wrong parts from the other value, and removes what the schema does not allow.
 * @param mayLack also removes wrong parts that the other value does not have
 */
function corrected({ value, wrong }: Fitting, other: unknown, mayLack = false): unknown {
  let changed = structuredClone(value)
  for (const { instanceLocation, keyword } of wrong) {
    const keys = keysOfReference(instanceLocation)
    const theirs = keys.reduce(partOf, other)
    const own = valueAt(changed, keys)
    const part = keyword === 'required' && isRecord(own) && isRecord(theirs) ? { ...theirs, ...own } : theirs
    const last = keys.pop()
    const parent = valueAt(changed, keys)
    if (last === undefined) changed = structuredClone(part)
    else if (Array.isArray(parent)) parent[Number(last)] = structuredClone(part ?? null)
    else if (!isRecord(parent)) continue
    else if (part !== undefined) parent[last] = structuredClone(part)
    else if (mayLack || keyword === 'false') delete parent[last]
  }
  return changed
}

/** A list that was made is short. */
function partOf(value: unknown, key: string): unknown {
  return Array.isArray(value) ? value[Number(key) % value.length] : ownValue(value, key)
}
