import type { ImportContext, Imported } from '../imported.ts'
import { importSaved, type Pairs, type Saved, type SavedRequest, type Variables } from '../saved-requests.ts'
import type { Source } from '../source.ts'
import { listIn, recordIn, textOf } from '../values.ts'

function collectionsIn(value: unknown): Record<string, unknown>[] {
  return listIn([value].flat()).filter(
    ({ folders, requests, name }) =>
      Array.isArray(folders) && Array.isArray(requests) && typeof name === 'string',
  )
}

/** Environments have a version, a name and variables. */
function environmentsIn(value: unknown): Record<string, unknown>[] {
  return listIn([value].flat()).filter(
    ({ v, name, variables, requests }) =>
      v !== undefined && name !== undefined && Array.isArray(variables) && !requests,
  )
}

export function isHoppscotch({ value }: Source): boolean {
  return collectionsIn(value).length > 0 || environmentsIn(value).length > 0
}

export async function importHoppscotch(
  sources: readonly Source[],
  context: ImportContext,
): Promise<Imported> {
  const variables: Variables = new Map()
  const requests: Saved[] = []
  const add = (
    { name, folders, requests: own, variables: given }: Record<string, unknown>,
    isTop: boolean,
  ): void => {
    for (const [key, value] of pairsIn(given)) variables.set(key, value)
    const folder = isTop ? '' : textOf(name)
    for (const request of listIn(own)) requests.push(savedOf(request, folder))
    for (const inner of listIn(folders)) add(inner, false)
  }
  for (const { value } of sources) {
    for (const { variables: given } of environmentsIn(value))
      for (const [key, one] of pairsIn(given)) variables.set(key, one)
    for (const collection of collectionsIn(value)) add(collection, true)
  }
  return importSaved(requests, variables, context)
}

function savedOf(given: Record<string, unknown>, folder: string): Saved {
  const request = requestOf(given, folder)
  const answers = Object.values(recordIn(given['responses'])).map((one) => {
    const { name, code, headers, body, originalRequest } = recordIn(one)
    return {
      name: textOf(name),
      status: Number(code ?? 0),
      headers: pairsIn(headers),
      body: textOf(body),
      request: originalRequest ? requestOf({ ...given, ...recordIn(originalRequest) }, folder) : undefined,
    }
  })
  return { ...request, answers }
}

function requestOf(given: Record<string, unknown>, folder: string): SavedRequest {
  const { name, method = 'GET', endpoint, url, path, params, headers, requestVariables } = given
  const { body, contentType } = recordIn(given['body'])
  const [start = '', search = ''] = textOf(endpoint ?? `${textOf(url)}${textOf(path)}`).split('?', 2)
  const own = Array.isArray(body) ? pairsIn(body) : textOf(body)
  return {
    name: textOf(name),
    folder,
    method: textOf(method),
    url: start,
    query: [...new URLSearchParams(search), ...pairsIn(params)],
    params: pairsIn(requestVariables),
    headers: pairsIn(headers),
    body: own,
    type: textOf(contentType) || undefined,
  }
}

function pairsIn(list: unknown): Pairs {
  return listIn(list).flatMap(({ key, value, initialValue, currentValue, active, secret, isFile }) =>
    active === false || secret === true || isFile === true
      ? []
      : [[textOf(key), textOf(value ?? (currentValue || initialValue))] as const],
  )
}
