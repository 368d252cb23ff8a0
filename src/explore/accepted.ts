import * as v from 'valibot'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { suggest } from '../core/diagnostics/text.ts'
import { requestOfId, sadPathKinds } from '../core/sad-path/sad-path.ts'
import { quote } from '../core/values/describe-value.ts'
import type { Finding } from './explore.ts'
import { verdicts } from './judge.ts'

const text = v.pipe(v.string(), v.nonEmpty())
const isId = (id: string) => requestOfId(id) !== undefined
const unknownKind = (kind: string) =>
  `There is no sad path of the kind ${quote(kind)}. ${suggest(kind, sadPathKinds, 'Kinds').slice(0, -1)}`
const notId = ({ input }: { input: string }) => {
  const kind = / #(\w+)/.exec(input)?.[1]
  return kind === undefined ? 'It must be an id such as "GET /orders #null name"' : unknownKind(kind)
}
const schema = v.array(
  v.pipe(
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
  ),
)

/** A finding that a project accepts. Of `id`, `request` and `kind`, those that are there must match. */
export type Accepted = v.InferOutput<typeof schema>[number]

/** @throws Error that names the file and the place */
export function readAccepted(content: string, file: string): Accepted[] {
  const lineCounter = new LineCounter()
  const document = parseDocument(content, { lineCounter, prettyErrors: false })
  const placeAt = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset)
    return `${file}:${line}:${col}`
  }
  const [broken] = document.errors
  if (broken) throw new Error(`${placeAt(broken.pos[0])} is not YAML: ${broken.message}`)
  const { success, output, issues } = v.safeParse(schema, document.toJS() ?? [])
  if (success) return output
  const [{ path = [], message }] = issues
  const keys = path.map(({ key }) => key)
  const node = [keys, keys.slice(0, -1), []].map((one) => document.getIn(one, true)).find(isNode)
  throw new Error(
    `${placeAt(node?.range?.[0] ?? 0)} is not an accepted finding: ${[...keys.filter((key) => typeof key === 'string').slice(-1), message].join(': ')}. Each has a verdict, a reason, and an id, a request or a kind.`,
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
