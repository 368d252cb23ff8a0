import * as v from 'valibot'
import { parse } from 'yaml'
import { reasonOf } from '../core/values/thrown.ts'
import type { Finding } from './explore.ts'
import { verdicts } from './judge.ts'

const text = v.pipe(v.string(), v.nonEmpty())
const schema = v.array(
  v.pipe(
    v.strictObject({
      id: v.exactOptional(text),
      request: v.exactOptional(text),
      kind: v.exactOptional(text),
      verdict: v.picklist(verdicts),
      reason: text,
    }),
    v.check(
      ({ id, request, kind }) => (id ?? request ?? kind) !== undefined,
      'an id, a request or a kind is missing',
    ),
  ),
)

/** What a project lives with. Of `id`, `request` and `kind`, those that are there must be the finding's. */
export type Accepted = v.InferOutput<typeof schema>[number]

/** @throws Error that names the file and the place */
export function readAccepted(content: string, file: string): Accepted[] {
  let value: unknown
  try {
    value = parse(content) ?? []
  } catch (error) {
    throw new Error(`${file} is not YAML: ${reasonOf(error)}`, { cause: error })
  }
  const { success, output, issues } = v.safeParse(schema, value)
  if (success) return output
  const [{ path = [], message }] = issues
  const place = path.map(({ key }) => String(key)).join('.')
  throw new Error(
    `${file} is not a list of accepted findings: ${place} ${message}. Each has a verdict, a reason, and an id, a request or a kind.`,
  )
}

/** The first that accepts a finding, or one that is worse. */
export function findAccepted(
  accepted: readonly Accepted[],
  finding: Pick<Finding, 'id' | 'request' | 'kind' | 'verdict'>,
): Accepted | undefined {
  return accepted.find(
    ({ id = finding.id, request = finding.request, kind = finding.kind, verdict }) =>
      id === finding.id &&
      request === finding.request &&
      kind === finding.kind &&
      verdicts.indexOf(verdict) <= verdicts.indexOf(finding.verdict),
  )
}
