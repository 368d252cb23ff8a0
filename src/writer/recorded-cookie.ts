import { parseSetCookie } from 'cookie'
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
  const { name, value, path = '', sameSite, httpOnly, maxAge = 1, expires } = parseSetCookie(header)
  if (!/^[!#$%&'*+\-.^`|~\w]{1,100}$/.test(name) || holdsSecret(name) || ofProxies.test(name))
    return undefined
  const isEnded = value === '' || maxAge <= 0 || Number(expires) < 1e12
  const parts = [
    `${name}=${isEnded ? '' : placeholder}`,
    /^\/[\w/.-]{0,200}$/.test(path) && `Path=${path}`,
    isEnded && 'Max-Age=0',
    httpOnly && 'HttpOnly',
    name.startsWith('__') && 'Secure', // browsers refuse it otherwise
    sameSite === 'lax' && 'SameSite=Lax',
    sameSite === 'strict' && 'SameSite=Strict',
  ]
  return { name, text: parts.filter(Boolean).join('; ') }
}
