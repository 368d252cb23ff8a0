import { parameterNames } from '../../core/http/path.ts'
import { isRecord, ownValue } from '../../core/values/values.ts'
import { jsonMedia, type ApiOperation, type Documents } from '../../openapi/documents.ts'
import { exampleValue } from '../../openapi/example-value.ts'
import { plain } from '../../writer/from-request.ts'

/** The path parameters in the body or its `data`: `orderId` or `order_id`, and `id` for the last parameter. */
export function withAskedIds(body: unknown, path: string): unknown {
  if (!isRecord(body)) return body
  const changed: Record<string, unknown> = { ...body }
  for (const param of parameterNames(path)) {
    const isLast = path.endsWith(`/:${param}`)
    const same = Object.keys(body).find((key) => plain(key) === plain(param))
    const key = same ?? (isLast && /id$/i.test(param) ? 'id' : '')
    const given = body[key]
    const $from = `params.${param}`
    if (typeof given === 'string') changed[key] = { $from }
    else if (typeof given === 'number') changed[key] = { $from, as: 'number', else: given }
  }
  const { data } = changed
  return isRecord(data) ? { ...changed, data: withAskedIds(data, path) } : changed
}

/** The `id` of an item created at `/orders`, or its `orderId` or `order_id`, in the body or its `data`. */
export function idOfNew(body: unknown, path: string): string | number | undefined {
  if (!isRecord(body)) return undefined
  const list = plain(path.split('/').at(-1)!)
  const isOwn = (key: string) => /(?:_i|I)d$/.test(key) && list.startsWith(plain(key).slice(0, -2))
  const id = ownValue(body, 'id') ?? ownValue(body, Object.keys(body).find(isOwn) ?? '')
  return typeof id === 'string' || typeof id === 'number' ? id : idOfNew(ownValue(body, 'data'), path)
}

export function sampleOfRequest({ operation, file }: ApiOperation, documents: Documents): unknown {
  const request = documents.resolve({ value: operation['requestBody'], file })
  const media = documents.resolve({ value: jsonMedia(request.value)?.[1], file: request.file })
  return exampleValue({ value: ownValue(media.value, 'schema'), file: media.file }, documents, {
    isRequest: true,
  })
}

/** A write answers with what it was sent: `{ name: { $from: body.name, else: text } }`. */
export function withSent(body: unknown, sample: unknown, place = 'body'): unknown {
  if (!isRecord(body) || !isRecord(sample)) return body
  const entries = Object.entries(body).map(([key, given]): [string, unknown] => {
    const sent = ownValue(sample, key)
    const $from = `${place}.${key}`
    if (!/^[A-Za-z_][\w-]*$/.test(key) || typeof sent !== typeof given || Array.isArray(given))
      return [key, given]
    return [
      key,
      isRecord(given) ? withSent(given, sent, $from) : given === null ? given : { $from, else: given },
    ]
  })
  const { data } = body
  const made = Object.fromEntries(entries)
  return isRecord(data) && !Object.hasOwn(sample, 'data') ? { ...made, data: withSent(data, sample) } : made
}
