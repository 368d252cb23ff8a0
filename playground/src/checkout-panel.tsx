import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from './failure.tsx'
import { ResponseLine } from './response-line.tsx'

interface Checkout {
  status: number
  route: string | null
  message: string
}

const payments = [
  { payment: 'card', label: 'Pay by card' },
  { payment: 'invoice', label: 'Pay by invoice' },
]

/** A page that a browser opens with this parameter remembers the scenario. */
const withScenario = '?mock-scenario=payment-down'

export function CheckoutPanel() {
  const [asked, ask] = useState<{ payment: string; time: number }>()
  // A query, so that it is sent again when fixtures/checkout.yaml is saved.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['checkout', asked],
    queryFn: () => checkOut(asked!.payment),
    enabled: asked !== undefined,
  })
  const { data: scenario } = useQuery({
    queryKey: ['scenario'],
    queryFn: findScenario,
    refetchOnWindowFocus: true,
  })
  return (
    <section className="panel" aria-labelledby="checkout-heading">
      <p className="request">POST /checkout</p>
      <h2 id="checkout-heading">A checkout with a sad path</h2>
      <p className="explanation">
        Nothing in the request says that the payment provider is down: a scenario does. Switch{' '}
        <code>payment-down</code> on in <a href="/__mock-api/#/requests?switches">the inspector</a>, or turn
        it <a href={withScenario}>on</a> or <a href="?mock-scenario=">off</a> for this browser. No route
        accepts invoices: the inspector shows why, and can write one. Or edit{' '}
        <code>fixtures/checkout.yaml</code> and watch.
      </p>
      <p className="explanation">
        Active scenario: <b>{scenario || 'none'}</b>
      </p>
      <div className="switch" role="group" aria-label="How to pay">
        {payments.map(({ payment, label }) => (
          <button key={payment} type="button" onClick={() => ask({ payment, time: Date.now() })}>
            {label}
          </button>
        ))}
      </div>
      <ResponseLine
        waiting={isFetching}
        status={data?.status}
        route={data?.route}
        isAsked={data !== undefined}
      />
      <div className="checkout" aria-live="polite">
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {data && <p className="message">{data.message}</p>}
        {data && data.status >= 400 && <a href="/__mock-api/">See why</a>}
      </div>
    </section>
  )
}

async function checkOut(payment: string): Promise<Checkout> {
  const response = await fetch('/checkout', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ cart: 'c-17', payment }),
  })
  const { message, error } = (await response.json()) as { message?: string; error?: { message: string } }
  return {
    status: response.status,
    route: response.headers.get('x-mock-route'),
    message: message ?? error?.message ?? 'The checkout failed.',
  }
}

/** That of this browser goes before that of the server. */
async function findScenario(): Promise<string> {
  const [, own] = /(?:^|; )mock-scenario=([^;]*)/.exec(document.cookie) ?? []
  if (own !== undefined) return decodeURIComponent(own)
  if (process.env.NODE_ENV === 'production') return ''
  const response = await fetch('/__mock-api/api/scenario')
  const { scenario } = (await response.json()) as { scenario: string[] }
  return scenario.join(', ')
}
