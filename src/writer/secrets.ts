import { isSecretName } from '../core/request/redact.ts'
import { isRecord, setOwn } from '../core/values/values.ts'

/** Stands in for a value that was left out of a body, so that the key is still there. */
export const placeholder = 'redacted'

/** JSON Web Tokens, and the keys and tokens of well-known services. */
const token =
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|\b(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|[sr]k_(?:live|test)_\w{16,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z\d]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,})/g

/** Names whose values are secret even if they are short words; a `session` may also be one of a conference. */
const alwaysSecret = /passw|^pwd$|^pass(?:code|phrase)$|secret|^t?otp$|^pin$|key$|credential|code$/

/** Whether a text has a part that is a token by its form. */
export function looksLikeToken(text: string): boolean {
  token.lastIndex = 0
  return token.test(text)
}

/** A text without its tokens. */
export function hideTokens(text: string, report: (what: string) => void): string {
  return text.replace(token, () => {
    report('a token')
    return placeholder
  })
}

/**
 * A JSON value whose secrets are replaced by a placeholder of the same type: tokens by their form, and what looks like a
 * secret under a name that says so.
 *
 * @param report is called with the path of each replaced value: `data.login.token`
 */
export function hideSecrets(value: unknown, report: (path: string) => void): unknown {
  return hide(value, '', '', report)
}

function hide(value: unknown, name: string, path: string, report: (path: string) => void): unknown {
  if (Array.isArray(value)) return value.map((entry) => hide(entry, name, `${path}[]`, report))
  if (isRecord(value)) {
    const copy = {}
    for (const [key, inner] of Object.entries(value))
      setOwn(copy, key, hide(inner, key, path === '' ? key : `${path}.${key}`, report))
    return copy
  }
  if (typeof value === 'string') {
    if (isSecretValue(name, value)) {
      report(path)
      return placeholder
    }
    return hideTokens(value, () => report(path))
  }
  if (typeof value === 'number' && value !== 0 && isSecretName(name) && alwaysSecret.test(plain(name))) {
    report(path)
    return 0
  }
  return value
}

function isSecretValue(name: string, value: string): boolean {
  if (value === '' || value === placeholder || !isSecretName(name)) return false
  return alwaysSecret.test(plain(name)) || value.length >= 16 || /\d/.test(value)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}
