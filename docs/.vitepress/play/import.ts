import { loadPatterns } from '../../../src/core/select/pattern.ts'
import { asJson } from '../../../src/core/values/json-value.ts'
import { isRecord } from '../../../src/core/values/values.ts'
import type { TriedRequest } from '../../../src/inspector/page/logic/send.ts'
import { BrokenEntry, inOrder, readWanted } from '../../../src/writer/har/har-entry.ts'
import { apiTypes } from '../../../src/writer/har/har-filter.ts'
import { listOmissions, Omissions } from '../../../src/writer/omissions.ts'
import { writeFixtures } from '../../../src/writer/write-fixtures.ts'

/** What a pasted text becomes: a fixture file, or a request. The notes say what is left out. */
export type Imported = { notes: string[] } & ({ text: string } | { request: TriedRequest } | object)

export async function importText(pasted: string): Promise<Imported> {
  if (/^\s*curl\s/.test(pasted)) return readCurl(pasted)
  const json = asJson(pasted)?.value
  const { entries } = isRecord(json) && isRecord(json['log']) ? json['log'] : {}
  if (Array.isArray(entries)) return readHar(entries)
  const isOpenApi = isRecord(json)
    ? 'openapi' in json || 'swagger' in json
    : /^(?:openapi|swagger):/m.test(pasted)
  const what = isOpenApi
    ? 'An OpenAPI document may refer to files, and its patterns are run with a time limit: both need Node.'
    : 'This is no cURL command, and no HAR file.'
  const command = isOpenApi ? 'npx unplugin-mock-api import openapi FILE' : 'npx unplugin-mock-api import'
  return { notes: [`${what} Import it on the command line: ${command}`] }
}

/** As the command `import har` does, in one file. Credentials are left out. */
async function readHar(entries: readonly unknown[]): Promise<Imported> {
  const omissions = new Omissions()
  const filter = { url: undefined, only: apiTypes }
  const readBody = (name: string): never => {
    throw new BrokenEntry(`its body is in ${name}`)
  }
  const read = entries.flatMap(
    (entry, index) => readWanted(entry, index + 1, { filter, omissions, readBody }) ?? [],
  )
  await loadPatterns()
  const { files, omitted } = writeFixtures(inOrder(read), { base: '', graphqlPaths: ['/graphql'] })
  const texts = files.flatMap(({ content }) => (typeof content === 'string' ? content : []))
  const bodies = files.filter(({ routes }) => routes === 0)
  return {
    text: texts.join('\n'),
    notes: [
      ...listOmissions([...omissions.list(), ...omitted]),
      ...bodies.map(({ path }) => `${path} is a file of its own: the command "import har" writes it.`),
    ],
  }
}

/** Options of cURL that change the request. Others, and the credentials of \`--user\`, are left out. */
const curlOptions: Record<string, (request: TriedRequest, value: string) => void> = {
  method: (request, value) => void (request.method = value),
  header: (request, value) => void (request.headers += `${value}\n`),
  cookie: (request, value) => void (request.headers += `cookie: ${value}\n`),
  body(request, value) {
    request.body += request.body === '' ? value : `&${value}`
    if (request.method === 'GET') request.method = 'POST'
  },
}
const curlNames: Record<string, keyof typeof curlOptions> = {
  ...{ '-X': 'method', '--request': 'method', '-H': 'header', '--header': 'header' },
  ...{ '-b': 'cookie', '--cookie': 'cookie', '-d': 'body', '--data': 'body', '--data-raw': 'body' },
  ...{ '--data-binary': 'body', '--json': 'body' },
}

function readCurl(command: string): Imported {
  const words = [
    ...command
      .replaceAll(/\\\r?\n/g, ' ')
      .matchAll(/(?:\$?'((?:[^'\\]|\\.|'\\'')*)'|"((?:[^"\\]|\\.)*)"|([^\s'"]+))+/g),
  ].map(([whole, single, double]) =>
    single !== undefined
      ? single.replaceAll("'\\''", "'")
      : double !== undefined
        ? double.replaceAll(/\\(["\\$`])/g, '$1')
        : whole,
  )
  const request: TriedRequest = { method: 'GET', url: '/', headers: '', body: '' }
  const left: string[] = []
  for (let index = 1; index < words.length; index++) {
    const word = words[index]!
    const name = curlNames[word]
    if (name !== undefined) curlOptions[name]!(request, words[++index] ?? '')
    else if (!word.startsWith('-') || word === '--url')
      request.url = targetOf(word === '--url' ? words[++index]! : word)
    else {
      left.push(word)
      // Names in one letter, and these, have a value.
      if (/^-[AeouxmTFK]$|^--(?:user|user-agent|referer|output|proxy|max-time|form)$/.test(word)) index++
    }
  }
  request.headers = request.headers.trim()
  const notes = left.length > 0 ? [`Left out: ${left.join(' ')}.`] : []
  return { request, notes: ['Send it: where no route answers, "Apply" writes one.', ...notes] }
}

/** The path and query: the page stands for the host. */
function targetOf(url: string): string {
  const { pathname, search } = new URL(/^https?:/.test(url) ? url : `http://${url}`)
  return pathname + search
}
