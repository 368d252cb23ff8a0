import { useInspector } from '../inspector-context.ts'
import { switchedTexts } from '../logic/switched.ts'

/** Shows what is switched, on every view: while something is, answers differ from the fixture files. */
export function SwitchedBar() {
  const { server, reset } = useInspector()
  const texts = switchedTexts(server.scenario, server.overrides)
  const { recording, target } = server.record
  return (
    <div class="switched row" role="status">
      {recording && <strong>Recording{target !== undefined && ` ${target}`}</strong>}
      {texts.length > 0 && (
        <>
          <strong>Switched</strong>
          <ul>
            {texts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <button type="button" onClick={reset}>
            Reset all
          </button>
        </>
      )}
    </div>
  )
}
