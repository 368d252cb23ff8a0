import { useMutation } from '@tanstack/react-query'
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
  const { data, error, isPending, mutate, variables } = useMutation({ mutationFn: checkOut })
  return (
    <section className="panel" aria-labelledby="checkout-heading">
      <p className="request">POST /checkout</p>
      <h2 id="checkout-heading">A checkout with a sad path</h2>
      <p className="explanation">
        Nothing in the request says that the payment provider is down: a scenario does. Switch{' '}
        <code>payment-down</code> on in <a href="/__mock-api/#/requests?switches">the inspector</a>, or for this browser
        alone <a href={withScenario}>on</a> and <a href="?mock-scenario=">off</a> with a link. No route takes
        invoices; the inspector shows why, and writes one.
      </p>
      <div className="switch" role="group" aria-label="How to pay">
        {payments.map(({ payment, label }) => (
          <button key={payment} type="button" onClick={() => mutate(payment)}>
            {label}
          </button>
        ))}
      </div>
      <ResponseLine
        waiting={isPending}
        status={data?.status}
        route={data?.route}
        isAsked={data !== undefined}
      />
      <div className="checkout" aria-live="polite">
        {error && variables && <Failure error={error} onRetry={() => mutate(variables)} />}
        {data && <p className="message">{data.message}</p>}
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
  const { message } = (await response.json()) as { message?: string }
  return {
    status: response.status,
    route: response.headers.get('x-mock-route'),
    message: message ?? 'The checkout failed.',
  }
}
