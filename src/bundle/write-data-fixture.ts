import { resolve, dirname } from 'node:path'
import { isFileBody } from '../core/response/file-body.ts'
import { isRecord } from '../core/values/values.ts'
import type { BundledFixture } from './read-fixtures.ts'
import type { FileWriter } from './write-files.ts'
import { Code, writeText, writeValue } from './write-value.ts'

/** The source of the routes of a data file that has no errors: one line for each, with the contents of their files. */
export function writeDataRoutes({ path, file, data }: BundledFixture, files: FileWriter): string {
  const { written, routes, positions } = data!
  const lines = written.map((route, index) => {
    const { response, sequence, paging } = routes[index] ?? {}
    const withFile = (one: unknown, checked: unknown): unknown => {
      const body = (checked as { body?: unknown } | undefined)?.body
      if (!isRecord(one) || typeof one['file'] !== 'string' || !isFileBody(body)) return one
      const variable = files.write(resolve(dirname(path), one['file']), body)
      return new Code(`/*#__PURE__*/ withFile(${writeValue(one, file)}, ${variable.text})`)
    }
    const made = { ...route }
    if (Array.isArray(route['response'])) {
      made['response'] = route['response'].map((one, part) => withFile(one, sequence?.parts[part]?.response))
    } else if (route['response']) made['response'] = withFile(route['response'], response)
    const list = route['paginate']
    if (isRecord(list) && isRecord(list['items'])) made['paginate'] = { ...list, items: paging?.items }
    return `  ${writeValue(made, file)},\n`
  })
  return `/*#__PURE__*/ dataRoutes(${writeText(file)}, [\n${lines.join('')}], ${writeValue(positions, file)})`
}
