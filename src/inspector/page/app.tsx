import { useState } from 'preact/hooks'
import { InspectorContext } from './inspector-context.ts'
import { Keys } from './keys.ts'
import { SwitchedBar } from './parts/switched-bar.tsx'
import { Switches } from './parts/switches.tsx'
import { TopBar } from './parts/top-bar.tsx'
import { useShell } from './use-inspector.ts'
import { Help } from './views/help.tsx'
import { ProblemsView } from './views/problems-view.tsx'
import { RequestsView } from './views/requests-view.tsx'
import { RoutesView } from './views/routes-view.tsx'
import { TryView } from './views/try-view.tsx'

export function App() {
  const { inspector, message, tried } = useShell()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const { view, switches } = inspector.place
  return (
    <InspectorContext.Provider value={inspector}>
      <TopBar onHelp={() => setHelpOpen(true)} />
      <SwitchedBar />
      <div class="body">
        <main>
          {view === 'requests' && <RequestsView />}
          {view === 'routes' && <RoutesView />}
          {view === 'problems' && <ProblemsView />}
          {view === 'try' && <TryView start={tried} />}
        </main>
        {switches && <Switches />}
      </div>
      <div class="messages" role="status">
        {message.text && (
          // A new element for each message restarts the animation.
          <p class="message" key={message.number}>
            {message.text}
          </p>
        )}
      </div>
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
      <Keys onHelp={() => setHelpOpen(true)} />
    </InspectorContext.Provider>
  )
}
