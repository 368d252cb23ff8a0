import { useEffect, useState } from 'preact/hooks'
import { plural } from '../../../core/values/describe-value.ts'
import { reasonOf } from '../../../core/values/thrown.ts'
import type { RequestDetails, SadPath, Shapes } from '../../api/api.ts'
import { groupBy } from '../../../core/values/collections.ts'
import { useInspector } from '../inspector.ts'
import { createFilter } from '../logic/filter.ts'
import { pathsAt } from '../logic/sad-paths.ts'
import { call } from '../logic/server.ts'
import { Action, IconAction } from '../parts/controls.tsx'
import { WriteFixture } from './write/fix.tsx'

type Kind = SadPath['kind']

/** Headings: problems of the content first, then those of every answer. */
const kinds: Record<Kind, string> = {
  null: 'A value is null',
  missing: 'A field is missing',
  empty: 'A value is empty',
  long: 'A text is very long',
  list: 'A list is short',
  page: 'A list in pages',
  error: 'Errors of GraphQL',
  status: 'An error status',
  body: 'Another body',
  slow: 'A slow answer',
  connection: 'A broken connection',
}

const fewPaths = 20

export function SadPathList(props: {
  request: RequestDetails
  picked: string | undefined
  showAll: () => void
}) {
  const { request, picked, showAll } = props
  const { server } = useInspector()
  const [list, setList] = useState<Shapes['SadPathList'] | string>()
  const [kept, keep] = useState<SadPath>()
  const [filter, setFilter] = useState('')
  // What covers them depends on the fixtures.
  useEffect(() => {
    const query = `request=${request.id}&limit=1000`
    void call('GET /sad-paths', { query }).catch(reasonOf).then(setList)
  }, [request.id, server.diagnostics]) // they are loaded with the fixtures
  if (list === undefined) return null
  if (typeof list === 'string') return <p class="muted">{list}</p>
  const fits = createFilter(filter)
  const found = picked === undefined ? list.sadPaths : pathsAt(list.sadPaths, picked)
  const shown = found.filter(({ kind, title, coveredBy = [] }) =>
    fits([kinds[kind], title, ...coveredBy.map(({ name }) => `covered ${name}`)].join('\n')),
  )
  const groups = groupBy(shown, ({ kind }) => kind)
  const kindsShown = (Object.keys(kinds) as Kind[]).filter((kind) => groups.has(kind))
  const covered = shown.filter(({ coveredBy }) => coveredBy).length
  return (
    <div class="stack tight" role="region" aria-label="Sad paths">
      <p class="line" role="status">
        {`${plural(shown.length, 'sad path')}, ${covered} covered`}
        {picked !== undefined && (
          <>
            <span>
              of <code>{picked}</code> and what is around it
            </span>
            <Action label="Show all" onClick={showAll} />
          </>
        )}
      </p>
      <input
        type="search"
        placeholder="Filter: null -covered"
        aria-label="Filter sad paths"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {kindsShown.map((kind, index) => (
        <details key={kind} open={index === 0 || shown.length <= fewPaths}>
          <summary>
            <b>{kinds[kind]}</b> <span class="chip">{groups.get(kind)!.length}</span>
          </summary>
          <ul class="stack tight">
            {groups.get(kind)!.map((path) => (
              <Row key={path.id} path={path} keep={() => keep(path)} />
            ))}
          </ul>
        </details>
      ))}
      {kept && <WriteFixture request={request} sadPath={kept} onClose={() => keep(undefined)} />}
    </div>
  )
}

function Row({ path, keep }: { path: SadPath; keep: () => void }) {
  const { server, override } = useInspector()
  const { id, title, coveredBy = [] } = path
  const isForced = server.overrides.sadPath === id
  return (
    <li class="line between">
      <span>
        {title}{' '}
        {coveredBy.map(({ by, name }) => (
          <span class="chip tone-good" key={`${by} ${name}`}>
            {`${by} ${name}`}
          </span>
        ))}
      </span>
      <span class="line">
        <Action
          label="Force"
          aria-pressed={isForced}
          onClick={() => override({ sadPath: isForced ? undefined : id })}
          title={`Answers go wrong like that: ${title}`}
        />
        <IconAction icon="write" label={`Keep as a scenario: ${title}`} onClick={keep} />
      </span>
    </li>
  )
}
