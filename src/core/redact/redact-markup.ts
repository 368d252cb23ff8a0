import { hidden, redactText } from './redact-text.ts'
import { isCertainName, isSecretName, isSecretText } from './secret-names.ts'

/** A comment, CDATA, a tag or text. What has no end reaches to the end of the text, so that nothing is read twice. */
const part =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<(\/?)([A-Za-z_][\w:.-]*)((?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'>])*)(>|$)|(?:[^<]|<(?![A-Za-z_/!]))+|</g
const attribute = /(?<![^\s"'/])([^\s"'<>/=]+)(\s*=\s*)("[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s"'<>]+)/g

/** XML and HTML: elements, attributes, and names next to values, as in `<input name="password" value="…">`. */
export function redactMarkup(text: string, mark = hidden): string {
  const isHtml = /<(?:!doctype html|html|head|body|div|form|input|meta|script|p|span)\b/i.test(text)
  /** The element whose text is secret, and the name that says so. */
  let secret: { element: string; name: string } | undefined
  /** The name in `<key>password</key>`, to which the next element belongs. */
  let key = ''
  let element = ''
  const hideText = (given: string, isCode: boolean): string => {
    if (given.trim() === '') return given
    if (element === 'key' || element === 'name') key = given.trim()
    if (secret && isHidden(secret.name, unencoded(given), mark)) return mark
    return redactText(given, { mark, isCode, isProse: true })
  }
  return text.replace(
    part,
    (whole, data?: string, slash?: string, given: string = '', attributes: string = '', end: string = '') => {
      if (data !== undefined) return whole.replace(data, () => hideText(data, false))
      const isCode = element === 'script' || element === 'style'
      if (slash === undefined)
        return whole.startsWith('<!--') ? redactText(whole, { mark }) : hideText(whole, isCode)
      const name = given.toLowerCase().replace(/^.*:/, '')
      if (slash === '/') {
        if (secret?.element === name) secret = undefined
        if (element === name) element = ''
        return whole
      }
      if (isCode) return redactText(whole, { mark, isCode }) // such as `a<b`
      const named = isHtml ? undefined : namedBy(attributes)
      const owner = [given.replace(/^.*:/, ''), named ?? '', key].find(isSecretName)
      if (!isCertainName(secret?.name ?? '')) secret = undefined
      if (owner !== undefined && !attributes.endsWith('/')) secret ??= { element: name, name: owner }
      if (element !== 'key' && element !== 'name') key = ''
      element = attributes.endsWith('/') ? '' : name
      return `<${given}${redactAttributes(attributes, owner, mark)}${end}`
    },
  )
}

function namedBy(attributes: string): string | undefined {
  for (const [, name, , value] of attributes.matchAll(attribute))
    if (/^(?:name|key|id|property|http-equiv)$/i.test(name!)) return unquoted(value!)
  return undefined
}

function redactAttributes(attributes: string, owner: string | undefined, mark: string): string {
  const named = [...attributes.matchAll(attribute)]
    .map(([, , , value]) => unquoted(value!))
    .find(isSecretName)
  return attributes.replace(attribute, (whole, name: string, sign: string, written: string) => {
    const value = unencoded(unquoted(written))
    const isValue = /^(?:value|content|default)$/i.test(name)
    const secretName = isValue ? (owner ?? named) : /^[A-Za-z]/.test(name) ? name : undefined
    const shown =
      secretName !== undefined && isHidden(secretName, value, mark) ? mark : redactText(value, { mark })
    const quote = /^["']/.exec(written)?.[0] ?? ''
    return shown === value ? whole : `${name}${sign}${quote}${encoded(shown)}${quote}`
  })
}

/** In a recording, the value must look secret, too. */
function isHidden(name: string, value: string, mark: string): boolean {
  if (value === '' || /^(?:true|false|null)$/i.test(value)) return false
  return mark === hidden ? isSecretName(name) : isSecretText(name, value)
}

function unquoted(text: string): string {
  return text.replace(/^["']|["']$/g, '')
}

const entities: Record<string, string> = {
  quot: '"',
  '#34': '"',
  '#39': "'",
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
}

function unencoded(text: string): string {
  return text.replace(/&(quot|#34|#39|apos|amp|lt|gt);/g, (_, name: string) => entities[name]!)
}

function encoded(text: string): string {
  return text.replace(/[&"'<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
