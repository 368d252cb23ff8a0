import { useEffect, useState } from 'react'

interface Loan {
  id: number
  title: string
  due: string
}

interface Props {
  accessToken: string
  /** Gets another access token. */
  onExpired: () => void
}

export function Loans({ accessToken, onExpired }: Props) {
  const [loans, setLoans] = useState<Loan[]>()

  async function load() {
    const response = await fetch('/api/loans', { headers: { authorization: `Bearer ${accessToken}` } })
    if (response.status === 401) onExpired()
    else setLoans((await response.json()) as Loan[])
  }
  useEffect(() => void load(), [accessToken])

  if (!loans) return <p>Loading the loans …</p>
  return (
    <section aria-labelledby="loans">
      <h2 id="loans">Your loans</h2>
      {loans.length === 0 && <p className="quiet">Nothing is borrowed.</p>}
      <ul className="rows">
        {loans.map(({ id, title, due }) => (
          <li key={id}>
            <strong>{title}</strong>
            <span>until {due}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
