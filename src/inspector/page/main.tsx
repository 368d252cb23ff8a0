import { render } from 'preact'
import { App, applyTheme, storedTheme } from './app.tsx'
import './styles/inspector.css'

applyTheme(storedTheme())
render(<App />, document.getElementById('app')!)
