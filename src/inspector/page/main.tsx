import { render } from 'preact'
import { App } from './app.tsx'
import { applyTheme, storedTheme } from './logic/theme.ts'
import './styles/inspector.css'

applyTheme(storedTheme())
render(<App />, document.getElementById('app')!)
