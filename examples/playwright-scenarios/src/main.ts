import './style.css'

interface CartLine {
  sku: string
  name: string
  amount: number
  price: number
}

const list = document.querySelector<HTMLUListElement>('#cart')!
const total = document.querySelector<HTMLParagraphElement>('#total')!
const pay = document.querySelector<HTMLButtonElement>('#pay')!
const message = document.querySelector<HTMLParagraphElement>('#message')!

const lines = (await (await fetch('/cart')).json()) as CartLine[]
const sum = lines.reduce((result, { amount, price }) => result + amount * price, 0)
list.replaceChildren(...lines.map(createRow))
total.textContent = lines.length === 0 ? 'Your cart is empty.' : `Total: € ${sum.toFixed(2)}`
pay.hidden = lines.length === 0
pay.addEventListener('click', async () => {
  pay.disabled = true
  message.textContent = 'Waiting for the payment …'
  message.textContent = await checkOut()
  pay.disabled = false
})

function createRow({ name, amount, price }: CartLine): HTMLLIElement {
  const row = document.createElement('li')
  const title = document.createElement('strong')
  title.textContent = name
  const details = document.createElement('span')
  details.textContent = `${amount} × € ${price.toFixed(2)}`
  row.append(title, details)
  return row
}

/** Pays, and asks for the state of the payment until it is known. */
async function checkOut(): Promise<string> {
  const response = await fetch('/payments', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ total: sum }),
  })
  if (response.status === 503) return 'Payments are not available right now. Try again later.'
  if (!response.ok) return 'The payment failed.'
  const { id } = (await response.json()) as { id: string }
  for (;;) {
    const { state } = (await (await fetch(`/payments/${id}`)).json()) as { state: 'pending' | 'paid' }
    if (state === 'paid') return 'Thank you! Your tea is on its way.'
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
