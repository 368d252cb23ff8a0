import { useEffect, useState } from 'preact/hooks'
import type { NewFixture, RequestDetails, WrittenFixture } from '../../api.ts'
import { useInspector } from '../inspector-context.ts'
import { call, reasonOf } from '../logic/api-client.ts'
import { PositionLink } from '../parts/buttons.tsx'
import { Code } from '../parts/code.tsx'
import { Dialog } from '../parts/dialog.tsx'

/** Shows a fixture for a request, and writes it to a new file. */
export function WriteFixture({ request, onClose }: { request: RequestDetails; onClose: () => void }) {
  const { sendAgain } = useInspector()
  const [file, setFile] = useState<string>()
  const [draft, setDraft] = useState<WrittenFixture>()
  const [failure, setFailure] = useState<string>()

  const send = async (isDry: boolean) => {
    try {
      const body: NewFixture = { request: request.id, ...(file && { file }), ...(isDry && { dryRun: true }) }
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
    <Dialog title="Write a fixture" onClose={onClose}>
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
                Written: <PositionLink position={{ file: draft.file, line: 1 }} /> It answers from now on.
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
            <label class="field wide">
              {`New file in ${folderOf(draft.file)}`}
              <input
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
