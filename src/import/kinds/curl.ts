import { reasonOf } from '../../core/values/thrown.ts'
import type { ImportContext, Imported } from '../imported.ts'
import { importSaved, type Saved } from '../saved-requests.ts'
import type { Source } from '../source.ts'

const curl = /^\s*(?:\$\s+)?curl(?:\.exe)?[\s^]/im
const powerShell = /^\s*Invoke-(?:WebRequest|RestMethod)\b/im

export function isCurl(source: Source): boolean {
  return (
    !source.isModule &&
    !/^\s*[[{<]/.test(source.head) &&
    (curl.test(source.head) || powerShell.test(source.head))
  )
}

/** Commands as browsers copy them. They are sent only with `send`; else each gets an empty answer, to be filled in. */
export async function importCurl(sources: readonly Source[], context: ImportContext): Promise<Imported> {
  const requests: Saved[] = []
  for (const { text } of sources)
    for (const request of requestsIn(text))
      requests.push({ ...request, answers: [context.send ? await ask(request) : empty] })
  if (!context.send && requests.length > 0)
    context.note(
      'Fill in the bodies, or import again with --send, which sends the requests and records the answers.',
    )
  return importSaved(requests, new Map(), context)
}

export function requestsIn(text: string): Request[] {
  return commandsIn(text).flatMap(
    (words) => (/^curl/i.test(words[0] ?? '') ? requestOf(words) : requestOfPowerShell(words)) ?? [],
  )
}

const empty = { name: '', status: 200, body: '{}', type: 'application/json' }

type Request = Omit<Saved, 'answers'>

async function ask({ method, url, headers = [], body, type }: Request): Promise<Saved['answers'][number]> {
  const own = headers.filter(
    ([name]) => !/^(?:host|content-length|connection|accept-encoding|:.*)$/i.test(name),
  )
  const sent = typeof body === 'object' ? new URLSearchParams(body.map((pair) => [...pair])).toString() : body
  const isTyped = own.some(([name]) => /^content-type$/i.test(name))
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: [
        ...own.map(([name, value]): [string, string] => [name, value]),
        ...(type && !isTyped ? [['content-type', type] as [string, string]] : []),
      ],
      ...(sent !== undefined && !/^(?:GET|HEAD)$/.test(method) && { body: sent }),
      signal: AbortSignal.timeout(30_000),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    return {
      name: '',
      status: response.status,
      headers: [...response.headers],
      body: bytes.toString('base64'),
      base64: true,
    }
  } catch (error) {
    const { cause } = error as Error
    throw new Error(`${method} ${url.split('?')[0]} was not answered: ${reasonOf(cause ?? error)}`, {
      cause: error,
    })
  }
}

/** Options with a value that says nothing about the request. */
const withValue =
  /^(?:-o|--output|-m|--max-time|--connect-timeout|-x|--proxy|--retry|--cacert|--cert|--key|-w|--write-out|-c|--cookie-jar|--resolve|-K|--config|--limit-rate|-E|--interface|--ciphers|-T|--upload-file|-D|--dump-header|--max-redirs|-r|--range)$/
const short = /^-([XHdbFuAe])(.+)$/s

function requestOf([, ...given]: readonly string[]): Request | undefined {
  const words = given.flatMap((word) => {
    const [, letter, value] = short.exec(word) ?? []
    const [, option, own] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? []
    return letter !== undefined ? [`-${letter}`, value!] : option !== undefined ? [option, own!] : [word]
  })
  let [url, method, isGet]: [string?, string?, boolean?] = []
  const headers: [string, string][] = []
  const data: string[] = []
  const fields: [string, string][] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    const value = () => words[++index] ?? ''
    if (/^(?:-X|--request)$/.test(word)) method = value()
    else if (/^(?:-H|--header)$/.test(word)) {
      const [, name, text] = /^([^:]+):\s*(.*)$/s.exec(value()) ?? []
      if (name !== undefined) headers.push([name, text!])
    } else if (/^(?:-d|--data(?:-raw|-binary|-ascii|-urlencode)?|--json)$/.test(word)) {
      const text = value()
      if (word === '--json') headers.push(['content-type', 'application/json'])
      if (!text.startsWith('@')) data.push(text) // a file of the one who copied it
      method ??= 'POST'
    } else if (/^(?:-F|--form(?:-string)?)$/.test(word)) {
      const [, name = '', text = ''] = /^([^=]*)=(.*)$/s.exec(value()) ?? []
      fields.push([name, text.startsWith('@') ? '' : text])
      method ??= 'POST'
    } else if (/^(?:-b|--cookie)$/.test(word)) headers.push(['cookie', value()])
    else if (/^(?:-u|--user)$/.test(word)) headers.push(['authorization', `Basic ${btoa(value())}`])
    else if (/^(?:-A|--user-agent)$/.test(word)) headers.push(['user-agent', value()])
    else if (/^(?:-e|--referer)$/.test(word)) headers.push(['referer', value()])
    else if (/^(?:-G|--get)$/.test(word)) isGet = true
    else if (/^(?:-I|--head)$/.test(word)) method = 'HEAD'
    else if (word === '--url') url = value()
    else if (withValue.test(word)) value()
    else if (!word.startsWith('-')) url ??= word
  }
  if (url === undefined) return undefined
  const text = data.join('&')
  const whole = isGet && text ? `${url}${url.includes('?') ? '&' : '?'}${text}` : url
  return finished(
    isGet ? 'GET' : (method ?? 'GET'),
    whole,
    headers,
    fields.length > 0 ? fields : isGet ? '' : text,
  )
}

function requestOfPowerShell(words: readonly string[]): Request | undefined {
  const after = (name: string) => words[words.findIndex((word) => word.toLowerCase() === name) + 1]
  const has = (name: string) => words.some((word) => word.toLowerCase() === name)
  const url = has('-uri') ? after('-uri') : words.find((word) => /^https?:/i.test(word))
  if (url === undefined) return undefined
  const table = has('-headers') ? (after('-headers') ?? '') : ''
  const headers = [...table.matchAll(/"((?:[^"`]|`.)*)"\s*=\s*"((?:[^"`]|`.)*)"/gs)].map(
    ([, name = '', value = '']): [string, string] => [name, value.replace(/`(.)/gs, '$1')],
  )
  if (has('-contenttype')) headers.push(['content-type', after('-contenttype')!])
  return finished(
    has('-method') ? after('-method')! : 'GET',
    url,
    headers,
    has('-body') ? after('-body')! : '',
  )
}

function finished(method: string, url: string, headers: [string, string][], body: Request['body']): Request {
  const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1]
  const form = typeof body === 'string' && body !== '' && !/^\s*[[{<]/.test(body)
  const whole = /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`
  return {
    name: '',
    folder: '',
    method,
    url: whole,
    headers,
    body,
    type: type ?? (form ? 'application/x-www-form-urlencoded' : undefined),
  }
}

/** Words of the commands of curl and of PowerShell in a text, as the shell that they are for reads them. */
function commandsIn(text: string): string[][] {
  const isCmd = /\^\s*\r?\n|\^"/.test(text)
  // In cmd, `^` escapes a character, and a line may end with it.
  const plain = isCmd ? text.replace(/\^\r?\n/g, ' ').replace(/\^(.)/gs, '$1') : text
  const token =
    /\$'((?:[^'\\]|\\.)*)'|'((?:[^']|'')*)'|"((?:[^"\\`]|\\.|`.)*)"|(@\{[^]*?\n?\}(?=\s|$))|\\\r?\n|`\r?\n|(\r?\n|;|\||&&)|([ \t]+)|((?:[^\s'"\\;|&`]|\\.|&(?!&))+)|./gs
  const commands: string[][] = [[]]
  let isOpen = false
  for (const [whole, ansi, single, double, table, end, space, bare] of plain.matchAll(token)) {
    const words = commands.at(-1)!
    const add = (part: string) => void (isOpen ? (words[words.length - 1] += part) : words.push(part))
    if (end !== undefined) commands.push([])
    else if (ansi !== undefined) add(unescaped(ansi))
    else if (single !== undefined) add(single)
    else if (double !== undefined) add(double.replace(/[\\`](["\\$`])/g, '$1').replaceAll('`n', '\n'))
    else if (table !== undefined) add(table)
    else if (bare !== undefined) add(bare.replace(/\\(.)/gs, '$1'))
    isOpen = end === undefined && space === undefined && !/^[\\`]\r?\n$/.test(whole)
  }
  return commands
    .map((words) => (words[0] === '$' ? words.slice(1) : words))
    .filter(([first = '']) => /^(?:curl(?:\.exe)?|Invoke-(?:WebRequest|RestMethod))$/i.test(first))
}

const escapes: Record<string, string> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1B',
}

/** The text of `$'…'`. */
function unescaped(text: string): string {
  return text.replace(
    /\\(?:u([\da-f]{1,4})|x([\da-f]{1,2})|(.))/gis,
    (_, unicode?: string, hex?: string, one = '') =>
      (unicode ?? hex)
        ? String.fromCharCode(parseInt(unicode ?? hex!, 16))
        : (escapes[one as string] ?? (one as string)),
  )
}
