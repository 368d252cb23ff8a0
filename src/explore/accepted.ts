import * as v from 'valibot'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { suggest } from '../core/diagnostics/text.ts'
import { requestOfId, sadPathKinds } from '../core/sad-path/sad-path.ts'
import { quote } from '../core/values/describe-value.ts'
import { isRecord } from '../core/values/values.ts'
import type { Finding } from './explore.ts'
import { verdicts } from './judge/judge.ts'

const text = v.pipe(v.string(), v.nonEmpty())
const isId = (id: string) => requestOfId(id) !== undefined
const unknownKind = (kind: string) =>
  `There is no sad path of the kind ${quote(kind)}. ${suggest(kind, sadPathKinds, 'Kinds').slice(0, -1)}`
const notId = ({ input }: { input: string }) => {
  const kind = / #(\w+)/.exec(input)?.[1]
  return kind === undefined ? 'It must be an id such as "GET /orders #null name"' : unknownKind(kind)
}
const finding = v.pipe(
  v.strictObject({
    id: v.exactOptional(v.pipe(text, v.check(isId, notId))),
    request: v.exactOptional(text),
    kind: v.exactOptional(v.picklist(sadPathKinds, ({ input }) => unknownKind(String(input)))),
    verdict: v.picklist(verdicts),
    reason: text,
  }),
  v.check(
    ({ id, request, kind }) => (id ?? request ?? kind) !== undefined,
    'an id, a request or a kind is missing',
  ),
)
const difference = v.strictObject({ against: text, request: v.exactOptional(text), reason: text })

/** A finding that a project accepts. Of `id`, `request` and `kind`, those that are there must match. */
export type Accepted = v.InferOutput<typeof finding>

/** A difference from the real API, such as `key-gone address.*`, that a project accepts. */
export interface AcceptedDifference extends v.InferOutput<typeof difference> {
  line: number
}

const schema = v.array(
  v.lazy((one): v.GenericSchema<Accepted | v.InferOutput<typeof difference>> =>
    isRecord(one) && 'against' in one ? difference : finding,
  ),
)

/** @throws Error that names the file and the place */
export function readAccepted(
  content: string,
  file: string,
): { findings: Accepted[]; differences: AcceptedDifference[] } {
  const lineCounter = new LineCounter()
  const document = parseDocument(content, { lineCounter, prettyErrors: false })
  const placeAt = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset)
    return `${file}:${line}:${col}`
  }
  const startOf = (keys: readonly unknown[]) => {
    const node = document.getIn(keys, true)
    return isNode(node) ? node.range?.[0] : undefined
  }
  const [broken] = document.errors
  if (broken) throw new Error(`${placeAt(broken.pos[0])} is not YAML: ${broken.message}`)
  const { success, output, issues } = v.safeParse(schema, document.toJS() ?? [])
  if (success)
    return {
      findings: output.filter((one) => 'verdict' in one),
      differences: output.flatMap((one, index) =>
        'against' in one ? [{ ...one, line: lineCounter.linePos(startOf([index]) ?? 0).line }] : [],
      ),
    }
  const [{ path = [], message }] = issues
  const keys = path.map(({ key }) => key)
  const start = [keys, keys.slice(0, -1), []].map(startOf).find((offset) => offset !== undefined)
  throw new Error(
    `${placeAt(start ?? 0)} is not an accepted finding: ${[...keys.filter((key) => typeof key === 'string').slice(-1), message].join(': ')}. Each has a reason, and either a verdict with an id, a request or a kind, or what it is against.`,
  )
}

/** The first entry that accepts the finding, or a worse one. */
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
