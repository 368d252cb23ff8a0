import { isSecretName, redactSearch } from '../core/request/redact.ts'
import type { ShownBody } from './api.ts'
import { hidden } from './write-selector.ts'

/** A value of a property with a secret name, in text that may be any part of JSON or of a GraphQL document. */
const scalarProperty =
  /(?<![\w$-])(\\?"?)([A-Za-z_][\w-]*)\1(\s*:\s*)(\\"(?:(?!\\").)*\\"|"(?:[^"\\]|\\.)*"?|[^\s,{}()[\]"]+)/g

/** A field of a multipart form. */
const formField = /(name="([^"]*)"[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)((?:(?!\r\n--)[^])*)/g

/**
 * A body as it is shown: its text, without the values of properties whose names say that they are secret.
 *
 * @param bytes the first bytes of the body
 * @param size bytes of the whole body
 */
export function showBody(bytes: string | Uint8Array, size: number, contentType = ''): ShownBody {
  const isCut = bytes.length < size
  const text = typeof bytes === 'string' ? bytes : decode(bytes, contentType, isCut)
  return { size, ...(text !== undefined && { text: redactText(text, contentType, isCut) }), isCut }
}

function redactText(text: string, contentType: string, isCut: boolean): string {
  if (/x-www-form-urlencoded/i.test(contentType) && !/^\s*[[{]/.test(text)) return redactSearch(text)
  if (/multipart\//i.test(contentType)) {
    return text.replace(formField, (_, head: string, name: string, value: string) =>
      isSecretName(name) ? `${head}${hidden}` : `${head}${redactScalars(value)}`,
    )
  }
  return (isCut ? undefined : redactJson(text)) ?? redactScalars(text)
}

/** JSON keeps its spelling unless it has secrets; `undefined` when the text is not JSON. */
function redactJson(text: string): string | undefined {
  let hasSecret = false
  const hide = (name: string, value: unknown): unknown => {
    if (isSecretName(name) && value !== null && typeof value !== 'boolean') {
      hasSecret = true
      return hidden
    }
    if (name !== 'query' || typeof value !== 'string') return value
    const shown = redactScalars(value)
    hasSecret ||= shown !== value
    return shown
  }
  try {
    const value = JSON.parse(text, hide) as unknown
    return hasSecret ? JSON.stringify(value) : text
  } catch {
    return undefined
  }
}

function redactScalars(text: string): string {
  return text.replace(scalarProperty, (whole, quote: string, name: string, colon: string, value: string) =>
    isSecretName(name) && !/^(?:null|true|false|\$)/.test(value)
      ? `${quote}${name}${quote}${colon}"${hidden}"`
      : whole,
  )
}

/** The text of a body; `undefined` when it is not text. The last character of a cut body may be incomplete. */
function decode(bytes: Uint8Array, contentType: string, isCut: boolean): string | undefined {
  const charset = /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: isCut })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
