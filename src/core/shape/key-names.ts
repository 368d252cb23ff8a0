import type { KeyPath } from '../values/values.ts'

/** Names of keys that say something about the values, by the habits of public APIs. */
const patterns = {
  /** Names and ids of one thing, which do not say of which kind it is. */
  name: /^(?:.*_)?(?:id|slug|key|handle|username|login|sku|path|name|title)$|(?:Id|Name|Slug|Key)$/i,
  /** Texts that people write: one may look like a date or an address by chance. */
  freeText:
    /^(?:name|title|label|description|text|body|content|message|comment|notes?|summary|subject|caption|value|q|query|search|term|login|username)$/i,
  /** A page, or a cursor of one: the first and the last page have no neighbour. */
  neighbour:
    /^(?:(?:next|prev|previous)[_-]?(?:page|cursor|token|url|link|offset|key|uri)*|(?:start|end)?_?cursor|.*page_?token)$/i,
  /** An object whose keys are chosen by who writes the data. */
  map: /(?:metadata|labels|annotations|headers|flags|features|toggles|experiments|translations|i18n|locales|messages|errors|links|counts|scores|rates)$/i,
}

export function isNameOf(kind: keyof typeof patterns, path: KeyPath): boolean {
  return patterns[kind].test(String(path.at(-1)))
}
