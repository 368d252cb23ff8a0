import { parse } from 'yaml'
import { compareShapes } from '../core/shape/compare-shapes.ts'
import { mergeShapes, shapeOf } from '../core/shape/shape.ts'
import { groupBy } from '../core/values/collections.ts'
import { attempt } from '../core/values/thrown.ts'
import { ownValue } from '../core/values/values.ts'
import { diagnoseDifference } from './compare/describe-difference.ts'

interface RecordedRoute {
  endpoint: string
  request: string
  status: number
  body: unknown
}

const refusals = [401, 403, 404, 405]

/**
 * What a new recording says otherwise than the one before.
 *
 * @returns losses: good answers that a refusal would replace, since sign-in has ended or an id is gone; differences in the words
 * of `check --against`
 */
export function recordedChanges(before: string, after: string): { losses: string[]; differences: string[] } {
  const [old, made] = [readRoutes(before), readRoutes(after)]
  const losses = old.flatMap(({ endpoint, request, status }) => {
    const now = made.filter((one) => one.request === request)
    const refused = now.find((one) => refusals.includes(one.status))
    const isLost = status < 300 && refused && !now.some((one) => one.status < 300)
    return isLost ? `${endpoint} answers ${refused.status}, not ${status}` : []
  })
  const groupOf = ({ endpoint, status }: RecordedRoute) => `${endpoint} ${status}`
  const groups = groupBy(made, groupOf)
  const differences = [...groupBy(old, groupOf)].flatMap(([group, ours]) => {
    const [known, real] = [ours, groups.get(group) ?? []].map((routes) =>
      mergeShapes(routes.filter(({ body }) => body !== undefined).map(({ body }) => shapeOf(body))),
    )
    if (known!.count === 0 || real!.count === 0) return []
    return compareShapes(known!, real!)
      .differences.map((one) => diagnoseDifference(one))
      .flatMap(({ severity, message }) => (severity === 'error' ? `${ours[0]!.endpoint}: ${message}` : []))
  })
  return { losses: [...new Set(losses)], differences }
}

function readRoutes(text: string): RecordedRoute[] {
  const routes: unknown = attempt(() => parse(text) as unknown)
  return (Array.isArray(routes) ? (routes as unknown[]) : []).map((route) => {
    const [method = 'GET', path] = [ownValue(route, 'method'), ownValue(route, 'path')]
    const response = ownValue(route, 'response')
    return {
      endpoint: `${String(method)} ${String(path)}`,
      request: JSON.stringify([method, path, ownValue(route, 'when')]),
      status: Number(ownValue(response, 'status') ?? 200),
      body: ownValue(response, 'body'),
    }
  })
}
