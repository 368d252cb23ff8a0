import { isSecretName } from '../core/request/redact.ts'
import { isRecord, setOwn } from '../core/values/values.ts'
import { hideTokens, placeholder } from './tokens.ts'

/** Names whose values are secret even if they are short words; a `session` may also be one of a conference. */
const alwaysSecret = /passw|^pwd$|^pass(?:code|phrase)$|secret|^t?otp$|^pin$|key$|credential|code$/

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
