import { clientOf } from '../http/whose-state.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { CompiledFail } from '../table/route-table.ts'
import { hash32 } from '../values/hash.ts'
import type { Answering } from './decision.ts'
import type { Rules } from './rules.ts'

/** Which of the requests that a client sends to a route this one is, and how it fails, if it is one that fails. */
export interface Chance {
  call: number
  fail?: CompiledFail | undefined
  /** The switch of the control API has made it fail, and not the fixture. */
  isChaos?: boolean
}

const chaosStatuses = [500, 502, 503, 504]

/**
 * The same seed and the same number of a request give the same chance, whatever the client is called: tests of each run have
 * clients of their own. The count is kept when a file is saved.
 */
export function takeChance(
  { route, request, rules }: Answering,
  fails: readonly CompiledFail[] = [],
): Chance | undefined {
  const { state, seed } = rules
  const { overrides } = state
  const chaos = overrides.isOn ? overrides.get(clientOf(request.headers)).chaos : undefined
  if (fails.length === 0 && chaos === undefined) return undefined
  const key = `fail ${route.id} ${paramsKey(request)}`
  const call = takeTurn(rules, request, state, key) + 1
  const hash = hash32(`${seed} ${key} ${call}`)
  let left = hash / 2 ** 32
  const isDrawn = ({ share = 0 }: Pick<CompiledFail, 'share'>) => (left -= share) < 0
  const fail = fails.find(({ calls }) => calls?.includes(call)) ?? fails.find(isDrawn)
  if (fail || chaos === undefined || !isDrawn({ share: chaos })) return { call, fail }
  return { call, fail: { value: { status: chaosStatuses[hash % chaosStatuses.length] } }, isChaos: true }
}

export function paramsKey({ params }: ParsedRequest): string {
  return Object.keys(params).length === 0 ? '' : JSON.stringify(params)
}

/** `HEAD` and a request that is only explained take no turn. @returns how many were taken before */
export function takeTurn(
  { state, isDryRun }: Rules,
  { method, headers }: ParsedRequest,
  sequence: object,
  key: string,
): number {
  const client = clientOf(headers)
  const isPeek = isDryRun || method === 'HEAD'
  return isPeek ? state.nextTurn(sequence, key, client) : state.takeTurn(sequence, key, client)
}
