import { holdsSecret, placeholder } from '../core/redact/redact.ts'

/** Servers add them to every answer, and they say nothing about the application. */
const ofProxies = /^(?:awsalb|arraffinity|__cf|cf_|_ga|__utm|incap_|visid_|nlbi_|bigip|ak_|bm_|datadome)/i

/**
 * A cookie without its value: the browser that has it is logged in, until another answer ends it. The dev server may have
 * another host name than the backend, and no HTTPS.
 *
 * @returns `undefined` for one that is left out
 */
export function recordedCookie(header: string): { name: string; text: string } | undefined {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
  const [, name, value] = /^([!#$%&'*+\-.^`|~\w]{1,100})=(.*)$/.exec(pair) ?? []
  if (name === undefined || holdsSecret(name) || ofProxies.test(name)) return undefined
  const attribute = (key: string) =>
    attributes.find((one) => one.toLowerCase().startsWith(key))?.slice(key.length)
  const isEnded =
    value === '' || Number(attribute('max-age=') ?? 1) <= 0 || Date.parse(attribute('expires=') ?? '') < 1e12
  const path = /^\/[\w/.-]{0,200}$/.exec(attribute('path=') ?? '')?.[0]
  const sameSite = /^(?:lax|strict)$/i.exec(attribute('samesite=') ?? '')?.[0]
  const parts = [
    `${name}=${isEnded ? '' : placeholder}`,
    path && `Path=${path}`,
    isEnded && 'Max-Age=0',
    attribute('httponly') !== undefined && 'HttpOnly',
    name.startsWith('__') && 'Secure', // browsers refuse it otherwise
    sameSite && `SameSite=${sameSite}`,
  ]
  return { name, text: parts.filter(Boolean).join('; ') }
}
