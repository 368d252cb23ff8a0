import { groupBy } from '../values/collections.ts'
import { isRecord } from '../values/values.ts'
import { errorDrafts, nullDrafts } from './graphql-drafts.ts'
import { httpDrafts } from './http-drafts.ts'
import { listDrafts } from './list-drafts.ts'
import { positionsIn } from './positions.ts'
import { requestName, sadPathKinds, type Answered, type Draft, type SadPath } from './sad-path.ts'
import { fieldDrafts, textDrafts } from './value-drafts.ts'

/**
 * Every way in which an answer goes wrong. First one of each kind, then the second of each, so that a limit leaves some of all.
 * Within a kind from the outside in, and what is beside the content last.
 */
export function sadPathsOf(answered: Answered): SadPath[] {
  const byKind = groupBy(draftsOf(answered), ({ kind }) => kind)
  const lists = sadPathKinds.map((kind) => contentFirst(byKind.get(kind) ?? []))
  const longest = Math.max(...lists.map(({ length }) => length))
  const paths: SadPath[] = []
  for (let round = 0; round < longest; round++)
    for (const drafts of lists) if (drafts[round]) paths.push(toPath(answered, drafts[round]!))
  return paths
}

/** Numbers of pages and the like: few pages show them. */
const besideContent =
  /(?:^|\.)(?:_?page|pages|per_?page|page_?(?:size|no|num|number|count)|limit|offset|total_?\w*|count|has_?\w+|next_?\w*|prev(?:ious)?_?\w*|cursor|page_?info|meta|links)$/i

function contentFirst(drafts: readonly Draft[]): Draft[] {
  const isBeside = ({ name }: Draft) => besideContent.test(name)
  return [...drafts.filter((one) => !isBeside(one)), ...drafts.filter(isBeside)]
}

/** `undefined` if this answer does not have what goes wrong. */
export function findSadPath(answered: Answered, id: string): SadPath | undefined {
  for (const draft of draftsOf(answered)) if (idOf(answered, draft) === id) return toPath(answered, draft)
  return undefined
}

function idOf({ subject }: Answered, { kind, name }: Draft): string {
  return `${requestName(subject)} #${kind} ${name}`
}

function toPath(answered: Answered, draft: Draft): SadPath {
  const { subject } = answered
  const { title, kind, change, lastItem } = draft
  return {
    id: idOf(answered, draft),
    title,
    kind,
    request: requestName(subject),
    ...subject,
    change,
    lastItem,
  }
}

function* draftsOf(answered: Answered): Generator<Draft> {
  const { graphql, json, status } = answered
  yield* httpDrafts(answered)
  if (!json || status >= 400) return
  const { value } = json
  if (!graphql) {
    const positions = positionsIn(value)
    yield* listDrafts(answered, [], value, positions)
    yield* fieldDrafts(positions)
    yield* textDrafts([], positions)
    return
  }
  if (!isRecord(value) || !isRecord(value['data'])) return
  const { data } = value
  const positions = positionsIn(data)
  yield* errorDrafts()
  yield* listDrafts(answered, ['data'], data, positions)
  yield* nullDrafts(answered, data, positions)
  yield* textDrafts(['data'], positions)
}
