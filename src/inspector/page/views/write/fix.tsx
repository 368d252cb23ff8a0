import { useEffect, useRef, useState } from 'preact/hooks'
import { reasonOf } from '../../../../core/values/thrown.ts'
import type { Candidate, Edit, EditRequest, RequestDetails, SadPath } from '../../../api/api.ts'
import { useInspector } from '../../inspector.ts'
import { formatPosition } from '../../logic/format.ts'
import { call } from '../../logic/server.ts'
import { Action, Button, Dialog, Icon, IconAction, PositionLink, Problem } from '../../parts/controls.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Diff } from '../../parts/values.tsx'
import type { JsonSchema } from '../../logic/editing/complete.ts'
import { FixtureArea } from '../../parts/fixture-area.tsx'

/** Milliseconds without a key before what was typed is checked. */
const pause = 250

type Where = 'route' | 'both' | 'file' | 'other'

interface FixProps {
  request: RequestDetails
  /** A route whose selector can be changed. */
  route?: Candidate | undefined
  /** A sad path: the new route's answer goes wrong in that way, in a scenario. */
  sadPath?: SadPath
  onApplied?: () => void
}

/** Texts that were typed and not applied, by what they are for: the reader may look at another request meanwhile. */
const typedTexts = new Map<string, Pick<Edit, 'file' | 'text' | 'version'>>()

/** The change of a fixture file that makes a request match: its difference, written with one click. */
export function Fix({ request, route, sadPath, onApplied }: FixProps) {
  const { applyEdit, copy } = useInspector()
  const start = !route ? 'other' : route.unmet.some(isIdentity) ? 'file' : 'route'
  const [where, setWhere] = useState<Where>(start)
  const { edit, failure, isBusy, ask } = useEdit(request)
  const [isEditing, setEditing] = useState(false)
  const [isWriting, setWriting] = useState(false)
  const broken = sadPath ? { sadPath: sadPath.id } : {}
  const purpose = [request.id, route?.id, sadPath?.id].join(' ')

  const choose = (choice: Where) => {
    typedTexts.delete(purpose)
    setWhere(choice)
    setEditing(false)
    const { id, file } = route ?? {}
    const changed = { route: id!, ...(choice === 'both' && { widen: true }) }
    void ask(choice === 'other' ? broken : choice === 'file' ? { file: file! } : changed)
  }
  useEffect(() => {
    const typed = typedTexts.get(purpose)
    if (!typed) return choose(start)
    const { version, ...what } = typed
    void ask(what, { version }).then(() => setEditing(true))
  }, [request.id, route?.id])

  const apply = async () => {
    if (!edit) return
    setWriting(true)
    const failed = await applyEdit(edit, request).then(() => undefined, reasonOf)
    setWriting(false)
    // The file may have changed since: the new difference is then shown, and nothing was written.
    if (failed !== undefined) return ask({ file: edit.file, text: edit.text }, { failed })
    typedTexts.delete(purpose)
    onApplied?.()
  }
  const hasErrors = edit?.diagnostics.some(({ severity }) => severity === 'error') ?? false
  const choices: [Where, string][] = route
    ? [
        ['route', `Change "${route.name}"`],
        ['both', 'Match this one as well'],
        ['file', `Add a route to ${formatPosition({ file: route.file! })}`],
        ['other', 'Another file'],
      ]
    : []
  return (
    <div class="fix stack tight">
      {route && (
        <div class="row" role="group" aria-label="What to change">
          {choices.map(([choice, text]) => (
            <Action
              key={choice}
              label={text}
              aria-pressed={where === choice}
              onClick={() => choose(choice)}
            />
          ))}
        </div>
      )}
      {where === 'other' && (
        <TextField
          label="New file, or an existing one"
          value={edit?.file}
          offered={edit?.files ?? []}
          onChange={(event) => void ask({ file: event.currentTarget.value, ...broken })}
        />
      )}
      {edit && (
        <>
          {isEditing && (
            <FixtureEditor
              edit={edit}
              onChange={(text) => {
                const { file, version } = edit
                typedTexts.set(purpose, { file, text, version })
                void ask({ file, text }, { delay: pause, version })
              }}
            />
          )}
          {edit.diff ? <Diff text={edit.diff} /> : <p class="muted">This does not change the file.</p>}
          <Outcome edit={edit} />
          {edit.notes.map((note) => (
            <p class="muted" key={note}>
              {note}
            </p>
          ))}
          <p class="row">
            <Button
              class="primary"
              disabled={isBusy || isWriting || hasErrors || edit.diff === ''}
              onClick={() => void apply()}
            >
              Apply
            </Button>
            <Action
              icon="edit"
              label="Edit"
              aria-expanded={isEditing}
              onClick={() => setEditing(!isEditing)}
            />
            <Action icon="copy" label="Copy" onClick={() => copy(edit.text, 'the file')} />
          </p>
        </>
      )}
      <Problem text={failure} />
    </div>
  )
}

/** Another operation, or another order, needs a route of its own. Where only the type differs, it is the same one. */
function isIdentity({ field, expected, received }: Candidate['unmet'][number]): boolean {
  const plain = (text = '') => text.replaceAll('"', '')
  return /^(?:operationName|operationType|params\b)/.test(field) && plain(expected) !== plain(received)
}

/** The change of a fixture file in a dialog. */
export function WriteFixture({ onClose, ...what }: FixProps & { onClose: () => void }) {
  return (
    <Dialog title={what.sadPath ? 'Keep as a scenario' : 'Write a fixture'} onClose={onClose}>
      <Fix {...what} onApplied={onClose} />
    </Dialog>
  )
}

/** The last answer counts: what is typed is checked while earlier checks are on their way. Until then, it is busy. */
function useEdit({ id }: RequestDetails) {
  const [edit, setEdit] = useState<Edit>()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const asked = useRef(0)
  useEffect(() => () => void asked.current++, [])
  /** @param version of the file with which typing began: what others have written since is not overwritten unseen */
  const ask = async (
    what: Omit<EditRequest, 'request'>,
    { delay = 0, version, failed }: { delay?: number; version?: Edit['version']; failed?: string } = {},
  ) => {
    const number = ++asked.current
    setBusy(true)
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    if (number !== asked.current) return
    const result = await call('POST /edit', { body: { request: id, ...what } }).catch(reasonOf)
    if (number !== asked.current) return
    setBusy(false)
    setFailure(typeof result === 'string' ? result : failed)
    if (typeof result !== 'string') setEdit(version === undefined ? result : { ...result, version })
    else if (what.text === undefined) setEdit(undefined)
  }
  return { edit, failure, isBusy, ask }
}

function Outcome({ edit: { answer, diagnostics, scenario } }: { edit: Edit }) {
  const { route, answeredBy } = answer ?? {}
  const errors = diagnostics.map((one) => (
    <p
      class={`notice edged tone-${one.severity === 'error' ? 'failed' : 'bad'}`}
      key={`${one.line} ${one.code}`}
      role="alert"
    >
      {one.line !== undefined && <b>{`Line ${one.line}: `}</b>}
      {one.message} {one.fix}
    </p>
  ))
  if (!answer || answeredBy === undefined) return errors
  const isGood = ['route', 'template', 'fault'].includes(answeredBy)
  return (
    <>
      {errors}
      <p class={`outcome line ${isGood ? 'tone-good' : 'tone-failed'}`}>
        <Icon name={isGood ? 'route' : 'refused'} />
        {route ? (
          <span>
            {scenario === undefined ? 'Then' : `While the scenario "${scenario}" is active,`} "{route.name}"
            answers. <PositionLink position={route} />
          </span>
        ) : (
          <span>Then no route answers.</span>
        )}
      </p>
    </>
  )
}

/** Shown on every view until the last change is taken back, or the bar closed. */
export function AppliedBar() {
  const { applied, undoEdit, closeApplied } = useInspector()
  if (!applied) return null
  return (
    <div class="applied row" role="status">
      <span class="grow">
        Changed <PositionLink position={applied} />
      </span>
      <Action icon="back" label="Undo" onClick={undoEdit} />
      <IconAction icon="close" label="Close" onClick={closeApplied} />
    </div>
  )
}

/** Completes with the JSON Schema of fixture files. The text is checked as the server would read it. */
function FixtureEditor({ edit, onChange }: { edit: Edit; onChange: (text: string) => void }) {
  const [text, setText] = useState(edit.text)
  const [schema, setSchema] = useState<JsonSchema>()
  useEffect(() => {
    if (/\.(?:ya?ml|json\w*)$/i.test(edit.file))
      void fetch('fixture.schema.json').then(async (answer) => setSchema((await answer.json()) as JsonSchema))
  }, [])
  // The first line that differs.
  const [, start = '1'] = /^@@ -\S+ \+(\d+)/.exec(edit.diff) ?? []
  return (
    <FixtureArea
      file={edit.file}
      text={text}
      schema={schema}
      rows={Math.min(16, text.split('\n').length + 1)}
      caret={
        text
          .split('\n')
          .slice(0, Number(start) + 1)
          .join('\n').length
      }
      onInput={(next) => {
        setText(next)
        onChange(next)
      }}
    />
  )
}
