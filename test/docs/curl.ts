/** What a curl command sends, with the headers that curl adds. */
export interface CurlRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

/** Reads a curl command with the options `-d`, `-H`, `-X`, `-b`, `-I`, `-i`, `-s` and `-F name=text`. */
export function parseCurl(command: string): CurlRequest {
  const words = [...command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]
    .map((match) => match.slice(1).find((word) => word !== undefined)!)
    .slice(1)
  const headers: Record<string, string> = { accept: '*/*' }
  let method: string | undefined
  let body: string | undefined
  let url: string | undefined
  while (words.length > 0) {
    const word = words.shift()!
    if (word === '-X') method = words.shift()
    else if (word === '-I') method = 'HEAD'
    else if (word === '-d') body = words.shift()
    else if (word === '-b') headers['cookie'] = words.shift()!
    else if (word === '-H') addHeader(headers, words.shift()!)
    else if (/^(http:\/\/)?localhost:5173\//.test(word)) url = word.slice(word.indexOf('/', 7))
    else if (!/^-[is]+$/.test(word)) throw new Error(`parseCurl does not know ${word} in ${command}`)
  }
  if (!url) throw new Error(`No URL in ${command}`)
  if (body !== undefined) headers['content-type'] ??= 'application/x-www-form-urlencoded'
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    url,
    headers,
    ...(body !== undefined && { body }),
  }
}

/** curl sends `name;` as an empty header. */
function addHeader(headers: Record<string, string>, text: string): void {
  const [, name, value] = /^([^:;]+)[:;] *(.*)$/.exec(text)!
  headers[name!.toLowerCase()] = value!
}
