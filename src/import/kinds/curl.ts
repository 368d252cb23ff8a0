import { parseArgs } from 'node:util'
import { redactUrl } from '../../core/redact/redact.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { words } from '../../core/values/values.ts'
import type { ImportContext, Imported } from '../imported.ts'
import {
  savedAnswer,
  bodyFile,
  importSaved,
  savedRequest,
  type Saved,
  type SavedRequest,
} from '../saved-requests.ts'
import type { ImportSource } from '../source.ts'

const curl = /^\s*(?:\$\s+)?curl(?:\.exe)?[\s^]/im
const powerShell = /^\s*Invoke-(?:WebRequest|RestMethod)\b/im

export function isCurl({ isModule, head }: ImportSource): boolean {
  return !isModule && !/^\s*[[{<]/.test(head) && (curl.test(head) || powerShell.test(head))
}

/** Commands as browsers copy them. They are sent only with `send`; else each gets an empty answer, to be filled in. */
export async function importCurl(
  sources: readonly ImportSource[],
  context: ImportContext,
): Promise<Imported> {
  const requests: Saved[] = []
  for (const { text } of sources)
    for (const request of requestsIn(text))
      requests.push({ ...request, answers: [context.send ? await ask(request) : empty] })
  if (!context.send && requests.length > 0)
    context.note(
      'Fill in the bodies, or import again with --send, which sends the requests and records the answers.',
    )
  return importSaved({ requests, variables: new Map() }, context)
}

export function requestsIn(text: string): SavedRequest[] {
  return commandsIn(text).flatMap(
    ([name = '', ...args]) => (/^curl/i.test(name) ? curlRequest(args) : powerShellRequest(args)) ?? [],
  )
}

const empty = savedAnswer({ status: 200, body: '{}', type: 'application/json' })

async function ask({ method, url, headers, body }: SavedRequest): Promise<Saved['answers'][number]> {
  const own = headers.filter(
    ([name]) => !/^(?:host|content-length|connection|accept-encoding|:.*)$/i.test(name),
  )
  const form = new FormData()
  for (const [name, value] of typeof body === 'string' ? [] : body) form.append(name, value)
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: own.map(([name, value]): [string, string] => [name, value]),
      ...(body.length > 0 &&
        !/^(?:GET|HEAD)$/.test(method) && { body: typeof body === 'string' ? body : form }),
      signal: AbortSignal.timeout(30_000),
    })
    const bytes = Buffer.from(await response.arrayBuffer()).toString('base64')
    const { status } = response
    return savedAnswer({ status, headers: [...response.headers], body: bytes, base64: true })
  } catch (error) {
    const { cause = error } = error as Error
    throw new Error(`${method} ${redactUrl(url.split('?')[0]!)} was not answered: ${reasonOf(cause)}`, {
      cause: error,
    })
  }
}

/** Options of curl with a value, and their letters. */
const withValue = Object.fromEntries(
  words(
    'request:X header:H data:d data-raw data-binary data-ascii data-urlencode json form:F form-string cookie:b user:u user-agent:A referer:e url output:o max-time:m connect-timeout proxy:x proxy-user:U retry cacert cert:E key write-out:w cookie-jar:c resolve config:K limit-rate interface ciphers upload-file:T dump-header:D max-redirs range:r',
  ).map((one) => {
    const [name = '', short] = one.split(':')
    return [name, { type: 'string', ...(short !== undefined && { short }) }] as const
  }),
)
const options = {
  ...withValue,
  get: { type: 'boolean', short: 'G' },
  head: { type: 'boolean', short: 'I' },
} as const

/** A file of the one who copied the command is not read. */
function curlRequest(args: string[]): SavedRequest | undefined {
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true })
  let [url, method]: [string?, string?] = []
  const headers: [string, string][] = []
  const data: string[] = []
  const fields: { name: string; value: string; isFile: boolean }[] = []
  const cookies: string[] = []
  let isInFile = false
  const names = new Set<string>()
  for (const token of tokens) {
    if (token.kind === 'positional') url ??= token.value
    if (token.kind !== 'option') continue
    const { name, value = '' } = token
    names.add(name)
    const [, key = '', rest = ''] = /^([^:=]*)[:=]\s*(.*)$/s.exec(value) ?? []
    if (name === 'url') url = value
    else if (name === 'request') method = value
    else if (name === 'header' && key !== '') headers.push([key, rest])
    else if (name === 'user')
      headers.push(['authorization', `Basic ${btoa(value.includes(':') ? value : `${value}:`)}`])
    else if (name === 'cookie') {
      if (value.includes('=')) cookies.push(value) // else it is the name of a file
    } else if (/^(?:user-agent|referer)$/.test(name)) headers.push([name, value])
    else if (name.startsWith('form'))
      fields.push({ name: key, value: rest, isFile: name === 'form' && /^[@<]/.test(rest) })
    else if (
      name === 'upload-file' ||
      (/^(?:data|json)/.test(name) && value.startsWith('@') && name !== 'data-raw')
    )
      isInFile = true // prettier-ignore
    else if (/^(?:data|json)/.test(name))
      data.push(
        name === 'data-urlencode' ? `${key && `${key}=`}${encodeURIComponent(key ? rest : value)}` : value,
      )
  }
  if (url === undefined) return undefined
  if (cookies.length > 0) headers.push(['cookie', cookies.join('; ')])
  if (names.has('json')) headers.push(['content-type', 'application/json'])
  const text = data.join('&')
  const isGet = names.has('get')
  const hasBody = [...names].some((name) => /^(?:data|json|form)/.test(name))
  const usual = isGet || !hasBody ? (names.has('head') ? 'HEAD' : 'GET') : 'POST'
  const whole = isGet && text ? `${url}${url.includes('?') ? '&' : '?'}${text}` : url
  const body = fields.length > 0 ? fields : isInFile ? bodyFile : text
  return finished(method ?? usual, whole, headers, isGet ? '' : body)
}

function powerShellRequest(args: readonly string[]): SavedRequest | undefined {
  const after = (name: string) => args[args.findIndex((one) => one.toLowerCase() === name) + 1]
  const has = (name: string) => args.some((one) => one.toLowerCase() === name)
  const given = (name: string) => (has(name) ? (after(name) ?? '') : '')
  const url = given('-uri') || args.find((one) => /^https?:/i.test(one))
  if (url === undefined) return undefined
  const headers = [...given('-headers').matchAll(/"((?:[^"`]|`.)*)"\s*=\s*"((?:[^"`]|`.)*)"/gs)].map(
    ([, name = '', value = '']): [string, string] => [name, value.replace(/`(.)/gs, '$1')],
  )
  if (has('-contenttype')) headers.push(['content-type', given('-contenttype')])
  return finished(given('-method'), url, headers, given('-body'))
}

function finished(method: string, url: string, headers: [string, string][], body: unknown): SavedRequest {
  const isForm = typeof body === 'string' && body !== '' && !/^\s*[[{<]/.test(body)
  const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1]
  if (isForm && type === undefined) headers.push(['content-type', 'application/x-www-form-urlencoded'])
  return savedRequest({ method, url: /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`, headers, body, type })
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

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', f: '\f', v: '\v', e: '\x1B' } // prettier-ignore

/** The text of `$'…'`. */
function unescaped(text: string): string {
  return text.replace(
    /\\(?:u([\da-f]{1,4})|x([\da-f]{1,2})|([0-7]{1,3})|(.))/gis,
    (_, ...groups: string[]) => {
      const [unicode, hex = unicode, octal, one = ''] = groups
      if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16))
      return octal === undefined ? (escapes[one] ?? one) : String.fromCharCode(parseInt(octal, 8))
    },
  )
}
