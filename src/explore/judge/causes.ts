import { groupBy } from '../../core/values/collections.ts'
import { plural } from '../../core/values/describe-value.ts'
import { defined } from '../../core/values/values.ts'
import { verdicts, type Verdict } from './judge.ts'

/** Findings that one change in the application would mend. */
export interface Cause {
  /** From 1, the worst first. */
  number: number
  verdict: Verdict
  /** `src/Orders.tsx:41 reads "name" of null: 9 sad paths of GET /orders` */
  title: string
  request: string
  /** The top frame of the application's own source. */
  place?: string
  findings: FindingKey[]
}

interface FindingKey {
  id: string
  /** The page, where there are several. */
  page?: string
}

interface Found extends FindingKey {
  request: string
  verdict: Verdict
  reason: string
  place?: string
}

/** @param found what is wrong, without what is handled or accepted */
export function causesOf(found: readonly Found[]): Cause[] {
  // Of two findings that differ in a value, such as the name that is still shown, the cause is the same.
  const alike = (reason: string) => reason.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\d+/g, '0')
  const keyOf = ({ request, verdict, reason, place = '' }: Found) =>
    [verdict, place, verdict === 'crashed' ? reason : alike(reason), request].join('\n')
  return [...groupBy(found, keyOf).values()]
    .toSorted(([a], [b]) => verdicts.indexOf(a!.verdict) - verdicts.indexOf(b!.verdict))
    .map((list, index) => {
      const { verdict, place, request, reason } = list[0]!
      const what = describe(reason)
      const start = place === undefined ? `${verdict}: ${what}` : `${place} ${what}`
      const title = `${start.replace(/\.$/, '')}: ${plural(list.length, 'sad path')} of ${request}`
      const findings = list.map(({ id, page }) => defined({ id, page }))
      return defined({ number: index + 1, verdict, title, request, place, findings })
    })
}

export function isOfCause({ findings }: Cause, { id, page }: FindingKey): boolean {
  return findings.some((one) => one.id === id && one.page === page)
}

function describe(reason: string): string {
  const [, value, key] =
    /Cannot (?:read|set) propert(?:y|ies) of (null|undefined) \((?:reading|setting) '(.+)'\)/.exec(reason) ??
    []
  return key === undefined ? reason : `reads ${JSON.stringify(key)} of ${value}`
}
