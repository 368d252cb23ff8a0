import { useState } from 'preact/hooks'
import { useInspector } from '../inspector-context.ts'
import { count } from '../logic/format.ts'

/** Records what the real backend answers. */
export function Recording() {
  const { server, setRecord } = useInspector()
  const { recording, target = '', folder, answers, files, omitted } = server.record
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? target
  return (
    <section aria-labelledby="recording">
      <h3 id="recording">Recording</h3>
      <label class="check line">
        <input
          type="checkbox"
          checked={recording}
          onChange={({ currentTarget: { checked } }) =>
            setRecord({ recording: checked, ...(checked && shown !== '' && { target: shown }) })
          }
        />
        <span>Record the backend</span>
      </label>
      <label class="field">
        Backend
        <input
          type="url"
          placeholder="the proxy of the dev server"
          value={shown}
          disabled={recording}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <p class="muted">
        {recording
          ? `What no route of yours answers is asked there, and written to ${folder}. Recorded routes answer when it ends.`
          : answers === 0
            ? `What no route answers is then asked there, and written to ${folder}.`
            : `${count(answers, 'answer')} in ${count(files.length, 'file')}.`}
      </p>
      {omitted.length > 0 && (
        <details>
          <summary>Left out: {omitted.length}</summary>
          <ul>
            {omitted.map(({ what, why, where }) => (
              <li key={`${where} ${what} ${why}`}>
                <code>{where}</code> {what}: {why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
