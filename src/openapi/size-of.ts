import { oncePerObject } from '../core/values/collections.ts'

export const charactersOfPart = 32

/** How much there is of a value when it is written: values, and texts by their length. What is shared counts each time. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / charactersOfPart
  return typeof value === 'object' && value !== null ? sizeOfObject(value) : 1
}

const sizeOfObject = oncePerObject((object: object): number =>
  (Object.values(object) as unknown[]).reduce<number>((size, part) => size + sizeOf(part), 1),
)

/** How many keywords, properties and choices a schema has: each is looked at for each of its values. */
export const widthOf = oncePerObject((schema: object): number =>
  (Object.values(schema) as unknown[]).reduce<number>(
    (width, part) => width + 1 + (typeof part === 'object' && part !== null ? Object.keys(part).length : 0),
    1,
  ),
)
