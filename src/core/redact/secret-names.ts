/** Names are compared in lower case without separators, or with their words apart: `compassWidth` has no `passw`. */

export interface NamedField {
  source: string
  path: readonly string[]
}

/** Names whose values are secret whatever they look like. */
const certainName =
  /^(?:[ct]vv2?|cvc2?|pin|(?:new|old|current|card|user|account|login|security|sim|unlock)pin|(?:seed|recovery)phrase|connectionstring|saml(?:request|response)|idtokenhint|(?:client)?assertion|hmac|(?:auth|authorization|verification|security|sms|reset|onetime|login|backup|recovery|scratch|device|pairing|activation|access|invite)codes?|securityanswers?)$|pwd|pswd|otp$|(?:otp|mfa|2fa|twofactor)codes?$|passcodes?$|(?:api|app|auth|private|access|encryption|decryption|signing|master|session|shared|hmac|ssh|secret|account|subscription|license|service)keys?$|kennwort|motdepasse|contrase[nñ]a|wachtwoord|^senha$|^(?:[jx]|php|asp(?:net)?|my|user|login|auth|web|current)?sess(?:ion)?id$|^jwts?$|^[cx]srf$|^(?:db|user|smtp|my|new|old|current)pass$/
/** `token` alone may be one of a currency: `USD`. */
const certainToken =
  /(?:access|refresh|(?:^|-)id|auth2?|authentication|authorization|bearer|session|api|[cx]srf|security|identity|jwt|login|sign-?in|remember(?:-?me)?|reset|verification|verify|activation|confirmation|invite|invitation|magic|device|push|client|user|app|service|bot|deploy|admin|private|personal|sas|saml|sso|mfa|t?otp|2fa)-?tokens?$/

/** Names whose values must look secret, too, in a recording: a `session` may be one of a conference. */
const likelyName = /^(?:x?auth|authorization|bearer|(?:set)?cookies?2?|sig|session|sid|x?pass|mnemonic)$/

/** Not every token is secret: `pageToken` helps to debug paging, `max_tokens` is a number. */
const tokenName =
  /(?<!page|next|prev|previous|continuation|cursor|sync|cancel|cancellation|resume|scroll|max|min|total|count|used|remaining|limit|prompt|completion|input|output|cached|reasoning|thinking|design|color|theme|style|stop|special|start|text|word)tokens?$/

/** Matches names with their words apart, as in `client-secret-value`. */
const secretWord =
  /passw(?:or[dt]|r?d|-|$)|pass-(?:word|phrase)|passphrase|secrets?(?![a-z])|secret(?:key|access|token|value|hash)|credential/
const likelyWord = /api-?key|private-?key|access-?key|signature/
/** Ends of names that say something about a secret: `passwordChangedAt`, `secretName`. */
const aboutSecret =
  /-(?:at|date|time|on|by|id|name|type|status|state|ur[il]|link|path|arn|polic(?:y|ies)|rules?|length|min|max|count|strength|score|required|enabled|disabled|changed|updated|expired|expires(?:-in)?|expiry|expiration|age|label|placeholder|title|errors?|message|help|less|attempts|pattern|provider|manager|version|algorithm|iterations|rotation|ttl)$/

/** An Indian postal code is a `pincode`. */
const pinCode = /(?:^|-)pin-codes?$/

/** Secret only in a query string (`?code=` of OAuth, `?key=`); in a path, they are usually country codes or record keys. */
const secretInQuery = /^(?:code|keys?)$/

const secretHeader =
  /authorization|cookie|(?:functions|subscription)-key|session|jwt|assertion|^x-(?:auth(?:entication)?(?:-|$)|key$)|(?:^|-)(?:otp|pin|pass)(?:-|$)|token(?!s|-(?:count|limit|type|expir|ttl))/i
const openHeader = /^access-control-|(?:page|next|continuation|cursor|sync|remaining|limit)-tokens?$/i

export function isSecret({ source, path }: NamedField): boolean {
  const [name = ''] = path
  switch (source) {
    case 'cookies':
      return true
    case 'headers':
      return !openHeader.test(name) && (secretHeader.test(name) || isSecretName(name))
    case 'query':
      return isSecretParameter(name)
    default:
      return path.some(isSecretName)
  }
}

export function isSecretParameter(name: string): boolean {
  return partsOf(name).some((part) => isSecretName(part) || secretInQuery.test(plainName(part)))
}

export function isSecretName(name: string): boolean {
  return isCertainName(name) || partsOf(name).some(isLikelyName)
}

export function isCertainName(name: string): boolean {
  return partsOf(name).some((part) => {
    const words = wordsOf(part)
    return (
      certainName.test(plainName(part)) ||
      certainToken.test(words) ||
      pinCode.test(words) ||
      (secretWord.test(words) && !aboutSecret.test(words))
    )
  })
}

function isLikelyName(name: string): boolean {
  const [plain, words] = [plainName(name), wordsOf(name)]
  return (
    likelyName.test(plain) || tokenName.test(plain) || (likelyWord.test(words) && !aboutSecret.test(words))
  )
}

/** Whether a number below such a name is a count, as of the tokens of a language model. */
export function isCount(name: string): boolean {
  return /s$/i.test(name) && !isCertainName(name)
}

/** Whether a value below such a name is one, and not a word of something else that has this name. */
export function isSecretText(name: string, value: string): boolean {
  if (value === '' || !isSecretName(name)) return false
  return isCertainName(name) || looksSecret(value)
}

/** `["cookie", "…"]`; two words in a list, such as `["auth", "oauth2"]`, are none. */
export function isListedPair(name: string, value: string): boolean {
  return value.length >= 16 && isSecretName(name)
}

export function looksSecret(value: string): boolean {
  return value.length >= 16 || /\d/.test(value)
}

const maxName = 200

/** `user[access token]`, `user.access_token` and `/user/access_token` name two things each. */
function partsOf(name: string): string[] {
  return name.slice(-maxName).split(/[[\]./]+/)
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}

/** `accessToken` and `access_token` give `access-token`. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])(?=[A-Z])/g, '$1-')
    .replace(/[-_\s]+/g, '-')
    .toLowerCase()
}
