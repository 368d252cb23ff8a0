import { useState } from 'preact/hooks'
import { InspectorContext, useInspector, useShell } from './inspector.ts'
import { Help, Keys } from './keys.tsx'
import { capitalized, countRoutes } from './logic/format.ts'
import { formatAddress, views, type View } from './logic/place.ts'
import { store, stored } from './logic/stored.ts'
import { Action, Button, IconAction } from './parts/controls.tsx'
import { SwitchedBar, Switches } from './parts/switches.tsx'
import { AppliedBar } from './views/write/fix.tsx'
import { ImportFile } from './views/write/import-file.tsx'
import { Explored } from './views/explored.tsx'
import { RequestsView } from './views/requests-view.tsx'
import { CollectionsView } from './views/collections-view.tsx'
import { ProblemsView, RoutesView } from './views/routes-view.tsx'
import { RealityView } from './views/reality-view.tsx'
import { TryView } from './views/try-view.tsx'

export function App() {
  const { inspector, message, tried } = useShell()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const { view, switches } = inspector.place
  return (
    <InspectorContext.Provider value={inspector}>
      <TopBar onHelp={() => setHelpOpen(true)} />
      <SwitchedBar />
      <Explored />
      <AppliedBar />
      <div class="body">
        <main class="column grow">
          {view === 'requests' && <RequestsView />}
          {view === 'routes' && <RoutesView />}
          {view === 'collections' && <CollectionsView />}
          {view === 'problems' && <ProblemsView />}
          {view === 'reality' && <RealityView />}
          {view === 'try' && <TryView start={tried} />}
        </main>
        {switches && <Switches />}
      </div>
      <div class="messages" role="status">
        {message.text && (
          // A new element for each message restarts the animation.
          <p class="message line" key={message.number}>
            {message.text}
            {message.undo && <Button onClick={message.undo}>Undo</Button>}
          </p>
        )}
      </div>
      <ImportFile />
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
      <Keys onHelp={() => setHelpOpen(true)} />
    </InspectorContext.Provider>
  )
}

function TopBar({ onHelp }: { onHelp: () => void }) {
  const { place, go, server } = useInspector()
  const hasCollections = server.routes.some(({ answers }) => answers === 'collection')
  const shownViews = views.filter((view) => view !== 'collections' || hasCollections || place.view === view)
  const [theme, setTheme] = useState(storedTheme)
  const changeTheme = () => {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length]!
    applyTheme(next)
    setTheme(next)
  }
  return (
    <header class="top row">
      <h1 class="line">
        <svg class="icon logo" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M12 9 7 16l5 7m8-14 5 7-5 7" />
        </svg>
        Mock API
      </h1>
      <nav class="scroll" aria-label="Views">
        {shownViews.map((view) => (
          <ViewLink key={view} view={view} />
        ))}
      </nav>
      <div class="line">
        <Connection />
        <Action
          icon="switches"
          label="Switches"
          aria-expanded={place.switches}
          onClick={() => go({ switches: !place.switches })}
          title="Scenarios and overrides (s)"
        />
        <IconAction icon={theme} label={`Theme: ${theme}`} onClick={changeTheme} />
        <IconAction icon="nothing" label="Keys" onClick={onHelp} title="Keys (?)" />
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
      class="tab line"
      href={formatAddress({ ...place, view, filter: '' })}
      aria-current={place.view === view ? 'page' : undefined}
    >
      {capitalized(view)}
      {count ? <span class={hasErrors ? 'chip tone-failed' : 'chip'}> {count}</span> : null}
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

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

/** `system` if none is stored. */
export function storedTheme(): Theme {
  return themes.find((theme) => theme === stored('theme')) ?? 'system'
}

export function applyTheme(theme: Theme): void {
  document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme
  store('theme', theme)
}
