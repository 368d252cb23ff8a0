import { loadGraphQL } from '../../../src/core/graphql/later.ts'
import { loadPatterns } from '../../../src/core/select/pattern.ts'
import { asJson } from '../../../src/core/values/json-value.ts'
import { isRecord } from '../../../src/core/values/values.ts'
import { isCurl, requestsIn } from '../../../src/import/kinds/curl.ts'
import { importOpenApi } from '../../../src/import/kinds/openapi.ts'
import type { ImportSource } from '../../../src/import/source.ts'
import type { TriedRequest } from '../../../src/inspector/page/logic/send.ts'
import { BrokenEntry, inOrder, readWanted } from '../../../src/writer/har/har-entry.ts'
import { apiTypes } from '../../../src/writer/har/har-filter.ts'
import type { WrittenFile } from '../../../src/writer/exchange/exchange.ts'
import { listOmissions, type Omission, Omissions } from '../../../src/writer/omissions.ts'
import { writeFixtures } from '../../../src/writer/write-fixtures.ts'

/** What a pasted text becomes: a fixture file, or a request. The notes say what is left out. */
export type Imported = { notes: string[] } & ({ text: string } | { request: TriedRequest } | object)

export async function importText(pasted: string): Promise<Imported> {
  if (isCurl({ isModule: false, head: pasted } as ImportSource)) return readCurl(pasted)
  const json = asJson(pasted)?.value
  const { entries } = isRecord(json) && isRecord(json['log']) ? json['log'] : {}
  if (Array.isArray(entries)) return readHar(entries)
  if (
    isRecord(json) ? 'openapi' in json || 'swagger' in json : /^["']?(?:openapi|swagger)["']?:/m.test(pasted)
  )
    return readOpenApi(pasted)
  const what = 'This is no cURL command, no HAR file and no OpenAPI document.'
  return { notes: [`${what} Others are for the command line: npx unplugin-mock-api import`] }
}

/** What an importer has written, as the text of one file. */
function inOneFile(
  files: readonly WrittenFile[],
  omitted: readonly Omission[],
  ...notes: string[]
): Imported {
  const bodies = files.filter(({ routes }) => routes === 0)
  return {
    text: files.flatMap(({ content }) => (typeof content === 'string' ? content : [])).join('\n'),
    notes: [
      ...listOmissions([...omitted]),
      ...bodies.map(({ path }) => `${path} is a file of its own: the command line writes it.`),
      ...notes,
    ],
  }
}

/** As the command `import openapi` does, in one file. */
async function readOpenApi(text: string): Promise<Imported> {
  const source = { name: 'the document', path: undefined, text } as ImportSource
  const context = { base: '', isBaseGiven: false, url: undefined, note() {}, progress() {} }
  const { files, omitted } = await importOpenApi([source], context)
  return inOneFile(
    files,
    omitted,
    'The command "import openapi" has more: collections, errors, other origins.',
  )
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
  await Promise.all([loadPatterns(), loadGraphQL()])
  const { files, omitted } = writeFixtures(inOrder(read), { base: '', graphqlPaths: ['/graphql'] })
  return inOneFile(files, [...omissions.list(), ...omitted])
}

/** Credentials are left out, since a link keeps the request. */
function readCurl(text: string): Imported {
  const [found] = requestsIn(text)
  if (!found) return { notes: ['The command has no URL.'] }
  const { method, headers = [], body = '', type } = found
  const { pathname, search } = new URL(found.url)
  const isTyped = type === undefined || headers.some(([name]) => /^content-type$/i.test(name))
  const [left, kept] = [true, false].map((isLeft) =>
    [...headers, ...(isTyped ? [] : [['content-type', type]])].filter(
      ([name]) => /^(?:authorization|cookie)$/i.test(name) === isLeft,
    ),
  ) as [string[][], string[][]]
  const request: TriedRequest = {
    ...{ method, url: pathname + search },
    headers: kept.map((header) => header.join(': ')).join('\n'),
    body: typeof body === 'string' ? body : String(new URLSearchParams(body.map((pair) => [...pair]))),
  }
  const notes = left.map(([name]) => `Left out: ${name}.`)
  return { request, notes: ['Where no route answers, "Apply" writes one.', ...notes] }
}
