/** Stands in for a value that was left out of a body, so that the key is still there. */
export const placeholder = 'redacted'

/** JSON Web Tokens, and the keys and tokens of well-known services. */
const token =
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|\b(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|[sr]k_(?:live|test)_\w{16,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z\d]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,})/g

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
