import { isRecord } from '../../core/values/values.ts'
import type { Documents, Part } from '../../loader/openapi/documents.ts'
import { fromText } from '../../loader/openapi/example-value.ts'

/**
 * The examples of an answer, the ones of its status first.
 *
 * @param isMeant whether a text is sent as such, though it is JSON
 */
export function examplesFor(
  status: number,
  media: Part,
  documents: Documents,
  isMeant: (text: string) => boolean,
): unknown[] {
  const given = examplesOf(media, documents).map((one) =>
    typeof one === 'string' && !isMeant(one) ? fromText(one) : one,
  )
  return [true, false].flatMap((suits) => given.filter((one) => suitsStatus(one, status) === suits))
}

export function examplesOf(media: Part, documents: Documents): unknown[] {
  const { example, examples } = isRecord(media.value) ? media.value : {}
  const named = isRecord(examples) ? Object.values(examples) : []
  const values = named.map((value) => documents.resolve({ value, file: media.file }).value)
  return [
    ...(example === undefined ? [] : [example]),
    ...values.flatMap((one) => (isRecord(one) && 'value' in one ? [one['value']] : [])),
  ]
}

/** Some documents list an example of an error among the others. */
function suitsStatus(example: unknown, status: number): boolean {
  const { status: own, statusCode, code } = isRecord(example) ? example : {}
  const said = [own, statusCode, code].find((one) => Number(one) >= 100 && Number(one) < 600)
  return said === undefined || Math.floor(Number(said) / 100) === Math.floor(status / 100)
}
