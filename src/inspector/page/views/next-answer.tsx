import { useState } from 'preact/hooks'
import { asJson } from '../../../core/values/json-value.ts'
import type { RequestDetails } from '../../api/api.ts'
import { useInspector } from '../inspector.ts'
import { Action, Dialog, Problem } from '../parts/controls.tsx'
import { AreaField, Form } from '../parts/fields.tsx'

/** Shown only for answers that are known as text, and for requests of an endpoint. */
export function NextAnswer({ request }: { request: RequestDetails }) {
  const [isOpen, setOpen] = useState(false)
  const { response, decision } = request
  if (response?.body.text === undefined || response.body.isCut || decision.endpoint === undefined) return null
  return (
    <>
      <Action icon="edit" onClick={() => setOpen(true)}>
        Edit the next answer
      </Action>
      {isOpen && <Editor request={request} text={response.body.text} onClose={() => setOpen(false)} />}
    </>
  )
}

interface EditorProps {
  request: RequestDetails
  text: string
  onClose: () => void
}

function Editor({ request, text, onClose }: EditorProps) {
  const { override } = useInspector()
  const { operationName, response, decision } = request
  const { headers, status: sent } = response!
  const given = asJson(text)
  const [body, setBody] = useState(given ? JSON.stringify(given.value, null, 2) : text)
  const [status, setStatus] = useState(sent)
  const [problem, setProblem] = useState<string>()
  const type = headers['content-type']
  const set = () => {
    const json = given ? asJson(body) : { value: body }
    if (!json) return setProblem('The body is not JSON.')
    override({
      nextAnswer: {
        endpoint: decision.endpoint!,
        ...(operationName !== undefined && { operationName }),
        status,
        ...(type !== undefined && { headers: { 'content-type': type } }),
        body: json.value,
      },
    })
    onClose()
  }
  return (
    <Dialog title={`The next answer of ${operationName ?? decision.endpoint}`} onClose={onClose}>
      <Form class="stack" onSubmit={set}>
        <label class="field">
          Status
          <input
            type="number"
            min={200}
            max={599}
            required
            value={status}
            onInput={(event) => setStatus(event.currentTarget.valueAsNumber)}
          />
        </label>
        <AreaField label="Body" rows={16} value={body} onText={setBody} />
        <Problem text={problem} />
        <p class="row">
          <button type="submit" class="primary">
            Send with the next answer
          </button>
          <span class="muted">Sent once. No file changes.</span>
        </p>
      </Form>
    </Dialog>
  )
}
