import { parse, type DocumentNode } from '@humanwhocodes/momoa'

export type JsonDialect = 'json' | 'jsonc' | 'json5'

/**
 * Parses JSON, or a dialect of it, with positions.
 *
 * @throws the parser's error, with `line` and `column`
 */
export function parseJson(
  text: string,
  mode: JsonDialect,
  allowTrailingCommas = mode === 'jsonc',
): DocumentNode {
  // The parser loops forever on a text that ends with a backslash, as a file does that is saved half.
  const ended = text.endsWith('\\') ? `${text}\n` : text
  return parse(ended, { mode, allowTrailingCommas })
}
