import { useInspector } from '../inspector-context.ts'
import { PositionLink } from '../parts/buttons.tsx'

/** The errors and warnings of the fixture files. */
export function ProblemsView() {
  const { diagnostics } = useInspector().server
  return (
    <div class="page stack">
      <div class="toolbar line">
        <h2>Problems</h2>
      </div>
      {diagnostics.length === 0 && <p class="empty">The fixture files have no errors and no warnings.</p>}
      <ul class="stack">
        {diagnostics.map((diagnostic, index) => {
          const { severity, message, fix, frame, code } = diagnostic
          return (
            <li
              key={index}
              class={`problem stack card edged tone-${severity === 'error' ? 'failed' : 'bad'}`}
            >
              <p class="problem-head row">
                <strong>{severity === 'error' ? 'Error' : 'Warning'}</strong>
                <PositionLink position={diagnostic} />
                <code class="muted">{code}</code>
              </p>
              <p>{message}</p>
              {frame && (
                <pre class="frame" tabIndex={0} role="region" aria-label="Code">
                  {frame}
                </pre>
              )}
              <p class="muted">{fix}</p>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
