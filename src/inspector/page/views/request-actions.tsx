import { useEffect, useState } from 'preact/hooks'
import { reasonOf } from '../../../core/values/thrown.ts'
import type { NewFixture, RequestDetails, SadPath, WrittenFixture } from '../../api.ts'
import { useInspector } from '../inspector.ts'
import { asCurl, asFetch, toTry } from '../logic/send.ts'
import { call } from '../logic/server.ts'
import { Action, Dialog, PositionLink } from '../parts/controls.tsx'
import { Code } from '../parts/values.tsx'

export function RequestActions({ request }: { request: RequestDetails }) {
  const { copy, say, sendAgain, edit } = useInspector()
  const [isWriting, setWriting] = useState(false)
  const copyFixture = () =>
    call('POST /fixture', { body: { request: request.id, dryRun: true } }).then(
      ({ yaml }) => copy(yaml, 'the fixture'),
      (failed: unknown) => say(reasonOf(failed)),
    )
  return (
    <div class="actions row" role="group" aria-label="Actions">
      <Action icon="write" onClick={() => setWriting(true)}>
        Write a fixture
      </Action>
      <Action icon="again" onClick={() => sendAgain(request)}>
        Send again
      </Action>
      <Action icon="edit" onClick={() => edit(toTry(request))}>
        Edit and send
      </Action>
      <span class="links line" role="group" aria-label="Copy as">
        <span class="muted">Copy as</span>
        <Action onClick={() => copy(asCurl(request, location.origin), 'as cURL')}>cURL</Action>
        <Action onClick={() => copy(asFetch(request), 'as fetch')}>fetch</Action>
        <Action onClick={() => void copyFixture()}>fixture</Action>
      </span>
      {isWriting && <WriteFixture request={request} onClose={() => setWriting(false)} />}
    </div>
  )
}

interface WriteProps {
  request: RequestDetails
  /** Its answer goes wrong in that way, in a scenario. */
  sadPath?: SadPath
  onClose: () => void
}

export function WriteFixture({ request, sadPath, onClose }: WriteProps) {
  const { sendAgain } = useInspector()
  const [file, setFile] = useState<string>()
  const [draft, setDraft] = useState<WrittenFixture>()
  const [failure, setFailure] = useState<string>()

  const send = async (isDry: boolean) => {
    try {
      const body: NewFixture = {
        request: request.id,
        ...(sadPath && { sadPath: sadPath.id }),
        ...(file && { file }),
        ...(isDry && { dryRun: true }),
      }
      const written = await call('POST /fixture', { body })
      setDraft(written)
      setFile(file ?? nameOf(written.file))
      setFailure(undefined)
    } catch (error) {
      setFailure(reasonOf(error))
    }
  }
  useEffect(() => void send(true), [request.id])

  return (
    <Dialog title={sadPath ? 'Keep as a scenario' : 'Write a fixture'} onClose={onClose}>
      {draft && (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void send(false)
          }}
        >
          {draft.isWritten ? (
            <div class="notice edged tone-good" role="status">
              <p>
                Written: <PositionLink position={{ file: draft.file, line: 1 }} />{' '}
                {draft.scenario === undefined
                  ? 'It answers from now on.'
                  : `It answers in the scenario ${draft.scenario}.`}
              </p>
              <p class="row">
                <button
                  type="button"
                  onClick={() => {
                    onClose()
                    sendAgain(request)
                  }}
                >
                  Send the request again
                </button>
              </p>
            </div>
          ) : (
            <label class="field">
              {`New file in ${folderOf(draft.file)}`}
              <input
                class="mono"
                value={file}
                spellcheck={false}
                autocomplete="off"
                onInput={(event) => setFile(event.currentTarget.value)}
              />
            </label>
          )}
          {draft.note !== undefined && <p class="muted">{draft.note}</p>}
          <Code text={draft.yaml} what="the fixture" isYaml />
          {!draft.isWritten && (
            <p class="row">
              <button type="submit" class="primary">
                Write the file
              </button>
              <span class="muted">A file that exists is never changed.</span>
            </p>
          )}
        </form>
      )}
      {failure && (
        <p class="notice edged tone-failed" role="alert">
          {failure}
        </p>
      )}
    </Dialog>
  )
}

/** The server proposes a file in the folder of the fixtures; other names are relative to that folder. */
function nameOf(file: string): string {
  return file.slice(folderOf(file).length)
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1)
}
