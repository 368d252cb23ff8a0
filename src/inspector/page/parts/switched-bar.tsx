import { useInspector } from '../inspector-context.ts'
import { switchedTexts } from '../logic/switched.ts'

/** What is switched, above everything: answers that are not what the fixture files say need an explanation in sight. */
export function SwitchedBar() {
  const { server, reset } = useInspector()
  const texts = switchedTexts(server.scenario, server.overrides)
  return (
    <div class="switched" role="status">
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
