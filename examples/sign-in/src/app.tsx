import { useAuth } from 'react-oidc-context'
import { Loans } from './loans.tsx'

export function App() {
  const auth = useAuth()
  if (auth.isLoading) return <p>Loading …</p>
  const { user } = auth
  if (!user)
    return (
      <>
        {auth.error && <p role="alert">{auth.error.message}</p>}
        <button onClick={() => void auth.signinRedirect()}>Sign in</button>
      </>
    )
  return (
    <>
      <p>
        {user.profile.name}, <span className="quiet">{user.profile.email}</span>
      </p>
      <Loans accessToken={user.access_token} onExpired={() => void auth.signinSilent()} />
      <button onClick={() => void auth.signoutRedirect()}>Sign out</button>
    </>
  )
}
