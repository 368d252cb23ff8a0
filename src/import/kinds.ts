import { attempt, reasonOf } from '../core/values/thrown.ts'
import { isRecord } from '../core/values/values.ts'
import type { ImportContext, Imported } from './imported.ts'
import { isBruno, readBruno } from './kinds/bruno.ts'
import { importCurl, isCurl } from './kinds/curl.ts'
import { importHar, isHar } from './kinds/har.ts'
import { isHoppscotch, readHoppscotch } from './kinds/hoppscotch.ts'
import { isInsomnia, readInsomnia } from './kinds/insomnia.ts'
import { importJsonServer, isDatabase } from './kinds/json-server.ts'
import { importMockDevServer, isMockDevServer } from './kinds/mock-dev-server.ts'
import { importMockoon, isMockoon } from './kinds/mockoon.ts'
import { importMsw, isMsw } from './kinds/msw.ts'
import { importOpenApi, isOpenApi, isSwaggerFile } from './kinds/openapi.ts'
import { isPostman, readPostman } from './kinds/postman.ts'
import { importWireMock, isWireMock } from './kinds/wiremock.ts'
import { importSaved, type SavedRequests } from './saved-requests.ts'
import type { ImportSource } from './source.ts'
import { recordIn, toText } from './values.ts'

export interface ImportKind {
  name: string
  /** Title with its article: `a Postman collection`. */
  title: string
  /** @throws Error for a file that is too large or too deep */
  recognise: (source: ImportSource) => boolean
  /** @throws Error for files that can't be read */
  read: (sources: readonly ImportSource[], context: ImportContext) => Imported | Promise<Imported>
}

const saved = (
  name: string,
  title: string,
  recognise: ImportKind['recognise'],
  read: (sources: readonly ImportSource[]) => SavedRequests,
): ImportKind => ({ name, title, recognise, read: (sources, context) => importSaved(read(sources), context) })

const devServer = 'mock-dev-server'

/** The first that recognises a file reads it: a database of json-server may be any object of lists. */
export const importKinds: readonly ImportKind[] = [
  { name: 'har', title: 'a HAR file', recognise: isHar, read: importHar },
  { name: 'openapi', title: 'an OpenAPI document', recognise: isOpenApi, read: importOpenApi },
  { name: 'swagger', title: 'a Swagger 2.0 document', recognise: isSwaggerFile, read: importOpenApi },
  saved('postman', 'a Postman collection', isPostman, readPostman),
  saved('insomnia', 'an Insomnia export', isInsomnia, readInsomnia),
  saved('hoppscotch', 'a Hoppscotch collection', isHoppscotch, readHoppscotch),
  saved('bruno', 'a Bruno collection', isBruno, readBruno),
  { name: 'mockoon', title: 'a Mockoon environment', recognise: isMockoon, read: importMockoon },
  { name: 'wiremock', title: 'mappings of WireMock', recognise: isWireMock, read: importWireMock },
  { name: 'curl', title: 'a cURL command', recognise: isCurl, read: importCurl },
  { name: 'msw', title: 'a module with handlers of MSW', recognise: isMsw, read: importMsw },
  { name: devServer, title: `a module of vite-plugin-${devServer}`, recognise: isMockDevServer, read: importMockDevServer }, // prettier-ignore
  { name: 'json-server', title: 'a database of json-server', recognise: isDatabase, read: importJsonServer },
]

/** Recognises a file by its content. `undefined` if it is of no kind. */
export function importKindOf(source: ImportSource): ImportKind | undefined {
  return importKinds.find(({ recognise }) => recognise(source))
}

/** Looks of a file that is no kind. */
export function lookOf(source: ImportSource): string {
  const { head, problem } = source
  if (problem) return `it can't be loaded: ${problem.where}: ${problem.reason}`
  if (source.isModule) return 'it exports neither handlers nor mocks nor a database'
  if (head.trim() === '') return 'it is empty'
  if (head.includes('\0')) return 'it is a binary file'
  if (/^\s*</.test(head)) return 'it looks like XML or HTML'
  const value = attempt(() => source.value)
  const { _type, __export_format: format } = recordIn(value)
  if (_type === 'export' && Number(format) < 4)
    return `it looks like an Insomnia export of format ${toText(format)}: import it into Insomnia, and export it from there as v5`
  if (!/^\s*[[{]/.test(head)) return 'it looks like text'
  if (value === undefined) return `it looks like JSON that can't be parsed: ${whyBroken(source)}`
  const keys = isRecord(value) ? Object.keys(value).slice(0, 4) : []
  return keys.length > 0 ? `it looks like JSON with the keys ${keys.join(', ')}` : 'it looks like JSON'
}

function whyBroken({ text }: ImportSource): string {
  try {
    JSON.parse(text)
    return 'it has no value'
  } catch (error) {
    return reasonOf(error)
  }
}

export const whatIsRead =
  'These are read: HAR, OpenAPI 3, Swagger 2.0, Postman, Insomnia, Hoppscotch, Bruno, Mockoon, WireMock, cURL, MSW, vite-plugin-mock-dev-server and the data of json-server.'
