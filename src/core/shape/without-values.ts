import { isEnum } from './compare-shapes.ts'
import { isNoName } from './is-map.ts'
import { mapShape, type Shape } from './shape.ts'

/** The shape without what may be a value: words that are no enum, and keys of maps that no program names. */
export function withoutValues(shape: Shape): Shape {
  const { text } = shape
  const isKept = text?.words && isEnum(text.words)
  return mapShape(
    { ...shape, ...(text && !isKept && { text: { count: text.count, formats: text.formats } }) },
    withoutValues,
    (key, index) => (isNoName(key) ? `/${index}` : key),
  )
}
