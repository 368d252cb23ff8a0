import { HeroPanel } from './hero-panel.tsx'
import { ItemsPanel } from './items-panel.tsx'
import { TerminalCommands } from './terminal-commands.tsx'

export function App() {
  return (
    <div className="page">
      <header className="masthead">
        <p className="brand">unplugin-mock-api</p>
        <h1>This page has no backend.</h1>
        <p className="lead">
          It talks to two APIs that do not exist. The server that sent you this page answers both of them,
          from the plugin’s starter templates.
        </p>
      </header>
      <main className="panels">
        <HeroPanel />
        <ItemsPanel />
      </main>
      <TerminalCommands />
    </div>
  )
}
