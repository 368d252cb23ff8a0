import { useState } from 'preact/hooks'
import { useInspector } from '../inspector-context.ts'
import { countRoutes } from '../logic/format.ts'
import { formatPlace, views, type View } from '../logic/place.ts'
import { applyTheme, nextTheme, storedTheme } from '../logic/theme.ts'
import { Action } from './buttons.tsx'

const names: Record<View, string> = {
  requests: 'Requests',
  routes: 'Routes',
  problems: 'Problems',
  try: 'Try',
}

/** Name, views and tools of the page. */
export function TopBar({ onHelp }: { onHelp: () => void }) {
  const { place, go } = useInspector()
  const [theme, setTheme] = useState(storedTheme)
  const changeTheme = () => {
    const next = nextTheme(theme)
    applyTheme(next)
    setTheme(next)
  }
  return (
    <header class="top row">
      <h1 class="line">
        <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M12 9 7 16l5 7m8-14 5 7-5 7" />
        </svg>
        Mock API
      </h1>
      <nav aria-label="Views">
        {views.map((view) => (
          <ViewLink key={view} view={view} />
        ))}
      </nav>
      <div class="tools line">
        <Connection />
        <Action
          icon="switches"
          expanded={place.switches}
          onClick={() => go({ switches: !place.switches })}
          title="Scenarios and overrides (s)"
        >
          Switches
        </Action>
        <Action icon={theme} isSmall onClick={changeTheme}>
          {`Theme: ${theme}`}
        </Action>
        <button type="button" class="action line small" title="Keys (?)" onClick={onHelp}>
          <span aria-hidden="true">?</span>
          <span class="visually-hidden">Keys</span>
        </button>
      </div>
    </header>
  )
}

function ViewLink({ view }: { view: View }) {
  const { place, server } = useInspector()
  const count = { routes: countRoutes(server.routes), problems: server.diagnostics.length }[view as string]
  const hasErrors = view === 'problems' && server.diagnostics.some(({ severity }) => severity === 'error')
  return (
    <a
      class="line"
      href={formatPlace({ ...place, view, filter: '' })}
      aria-current={place.view === view ? 'page' : undefined}
    >
      {names[view]}
      {count ? <span class={hasErrors ? 'count tone-failed' : 'count'}> {count}</span> : null}
    </a>
  )
}

function Connection() {
  const { connection } = useInspector().server
  const [text, tone] = {
    connecting: ['Connecting', ''],
    live: ['Live', 'tone-good'],
    lost: ['Disconnected', 'tone-failed'],
  }[connection]
  return (
    <p class={`connection line note ${tone}`} role="status">
      {text}
    </p>
  )
}
