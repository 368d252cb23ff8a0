import { CheckoutPanel } from './checkout-panel.tsx'
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
          It talks to APIs that do not exist. The server that sent you this page answers them, from the
          plugin’s starter templates and one fixture file.
        </p>
      </header>
      <main className="panels">
        <HeroPanel />
        <ItemsPanel />
        <CheckoutPanel />
      </main>
      <TerminalCommands />
    </div>
  )
}
