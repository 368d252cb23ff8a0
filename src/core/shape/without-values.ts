import { isEnum } from './compare-shapes.ts'
import { isNoName } from './is-map.ts'
import type { ObjectShape, Shape } from './shape.ts'

/** The shape without what may be a value: words that are no enum, and keys of maps that no program names. */
export function withoutValues({ text, list, object, ...rest }: Shape): Shape {
  const isKept = text?.words && isEnum(text.words)
  return {
    ...rest,
    ...(text && { text: isKept ? text : { count: text.count, formats: text.formats } }),
    ...(list && { list: { ...list, items: withoutValues(list.items) } }),
    ...(object && { object: withoutNames(object) }),
  }
}

function withoutNames({ count, keys, variants }: ObjectShape): ObjectShape {
  const named = Object.entries(keys).map(([key, inner], index) => [
    isNoName(key) ? `/${index}` : key,
    withoutValues(inner),
  ])
  const members = Object.entries(variants?.of ?? {}).map(([word, one]) => [word, withoutNames(one)])
  return {
    count,
    keys: Object.fromEntries(named) as ObjectShape['keys'],
    ...(variants && { variants: { ...variants, of: Object.fromEntries(members) as typeof variants.of } }),
  }
}
