import { lookup } from 'mrmime'

const textTypes = /^text\/|[/+](?:json|xml)$|javascript$/

/** The content type of a file by its extension. Text is in UTF-8. */
export function contentTypeOf(file: string): string {
  return textTypeOf(file) ?? lookup(file) ?? 'application/octet-stream'
}

/** The content type of the text at a path by its extension; `undefined` where the extension names none, or one of bytes. */
export function textTypeOf(path: string): string | undefined {
  const type = lookup(path)
  return type && textTypes.test(type) ? `${type}; charset=utf-8` : undefined
}
