import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AuthProvider } from 'react-oidc-context'
import { App } from './app.tsx'
import './style.css'

const { origin, pathname } = location

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <AuthProvider
      authority={`${origin}/oidc`}
      client_id="library"
      redirect_uri={origin + pathname}
      post_logout_redirect_uri={origin + pathname}
      scope="openid profile email"
      onSigninCallback={() => history.replaceState({}, '', pathname)}
    >
      <main>
        <h1>Library card</h1>
        <App />
      </main>
    </AuthProvider>
  </StrictMode>,
)
