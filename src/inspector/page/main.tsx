import { render } from 'preact'
import { App, applyTheme, storedTheme } from './app.tsx'
import './styles/inspector.css'

// Its relative addresses start below the folder: some hosts take the slash at the end away.
if (!location.pathname.endsWith('/'))
  history.replaceState(null, '', `${location.pathname}/${location.search}${location.hash}`)

applyTheme(storedTheme())
render(<App />, document.getElementById('app')!)
