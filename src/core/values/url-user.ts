const alone = /^[a-z][a-z\d+.-]*:\S*$/i
const inText = /((?:https?|wss?):\/{0,2}|\/\/)([^\s/?#"'<>\\`]+)@/gi

/** The URLs in a text without their users and passwords: `https://…@example.com`. */
export function hideUsers(text: string, mark = '…'): string {
  if (!text.includes('@')) return text
  if (alone.test(text)) {
    // A password may have quotes; one with `/` makes the URL invalid.
    if (!URL.canParse(text)) return text.replace(/^([^:]*:[\\/]*).*@/, `$1${mark}@`)
    if (new URL(text).password !== '') return text.replace(/^([^:]*:[\\/]*)[^\\/?#]*@/, `$1${mark}@`)
  }
  // The user of `ssh://git@github.com` is no secret; that of a website may be a token.
  return text.replace(inText, (whole, start: string, user: string) =>
    start !== '//' || user.includes(':') || user.length >= 16 ? `${start}${mark}@` : whole,
  )
}

/** Texts before the `@` of an address, which must not be printed, with or without a scheme: `user:secret@`. */
export function usersIn(argument: string): string[] {
  const given = argument.replace(/^--[\w-]+=/, '')
  const { host = '', username = '', password = '' } = URL.canParse(given) ? new URL(given) : {}
  const [, user] = /^[a-z][\w+.-]+:[\\/]*(.+@)/is.exec(given) ?? []
  return user === undefined || (host !== '' && username + password === '')
    ? []
    : [user, decoded(user), JSON.stringify(user).slice(1, -1)]
}

export interface Login {
  origin: string
  username: string
  password: string
}

/** `fetch` takes no address with a user, and no message should have it: it is sent as a header. */
export function splitLogin(address: string): { url: string; login?: Login; headers: Record<string, string> } {
  // The URL of jsdom 16 has no `canParse`.
  if (!address.includes('@') || !URL.canParse(address)) return { url: hideUsers(address), headers: {} }
  const url = new URL(address)
  const { origin } = url
  const [username, password] = [decoded(url.username), decoded(url.password)]
  if (username + password === '') return { url: address, headers: {} }
  url.username = url.password = ''
  const bytes = new TextEncoder().encode(`${username}:${password}`)
  const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`
  return { url: url.href, login: { origin, username, password }, headers: { authorization } }
}

/** A sign `%` of its own stays, as in browsers. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return bytes
    }
  })
}
