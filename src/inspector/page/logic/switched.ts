import { describeSadPath } from '../../../core/sad-path/describe-sad-path.ts'
import { describeChaos, plural } from '../../../core/values/describe-value.ts'
import type { FailNext, Overrides } from '../../api/api.ts'
import { formatDuration } from './format.ts'

export function switchedTexts(scenario: readonly string[], overrides: Overrides): string[] {
  const { routes = {}, delay, failNext, sadPath, nextAnswer, offline, chaos } = overrides
  const forced = Object.keys(routes)
  return [
    ...(offline ? ['Offline'] : []),
    ...(chaos ? [describeChaos(chaos)] : []),
    ...(failNext && failNext.count > 0 ? [failText(failNext)] : []),
    ...(sadPath === undefined ? [] : [`Sad path: ${describeSadPath(sadPath)}`]),
    ...(nextAnswer
      ? [`The next answer of ${nextAnswer.operationName ?? nextAnswer.endpoint} is edited`]
      : []),
    ...scenario.map((name) => `Scenario ${name}`),
    ...(forced.length > 0 ? [`Forced: ${forced.join(', ')}`] : []),
    ...delayTexts(delay),
  ]
}

function delayTexts(delay: Overrides['delay'] = 0): string[] {
  if (typeof delay === 'number') return delay > 0 ? [`${formatDuration(delay)} slower`] : []
  return Object.entries(delay).map(([endpoint, time]) => `${endpoint} ${formatDuration(time)} slower`)
}

function failText({ count: left, status, fault, endpoint }: FailNext): string {
  const requests = left === 1 ? 'The next request' : `The next ${plural(left, 'request')}`
  const how = `with ${fault === undefined ? (status ?? 500) : `the fault ${fault}`}`
  return `${requests}${endpoint === undefined ? '' : ` to ${endpoint}`} ${left === 1 ? 'fails' : 'fail'} ${how}`
}

/** The values with a change, without keys whose value is `undefined`. */
export function withChange<Values extends object>(
  values: Values,
  change: { [Key in keyof Values]?: Values[Key] | undefined },
): Values {
  const entries = Object.entries({ ...values, ...change }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Values
}
