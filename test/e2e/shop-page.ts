/* A page that takes some sad paths well, and each of the others in another wrong way. */

const fixture = `
- path: /user
  response: { body: { name: Ada Lovelace, email: ada@example.com } }
- path: /orders
  response: { body: [{ id: 7, title: Oranges }, { id: 8, title: Lemons }] }
- path: /offers
  response: { body: { text: Three for the price of two } }
- path: /theme
  response: { body: { colour: green } }
- path: /account
  response: { body: { visits: 3 } }
`

const script = `
const add = (tag, text = '', parent = document.body) => {
  const element = document.createElement(tag)
  element.textContent = text
  parent.append(element)
  return element
}
const json = (response) => (response.ok ? response.json() : Promise.reject(new Error('HTTP ' + response.status)))
const get = (path) => fetch(path).then(json)

add('h1', 'Your account and your orders')
add('p', new Date().toISOString())

const user = get('/user').then(
  ({ name }) => add('p', 'Signed in as ' + name.toUpperCase()),
  () => add('p', 'Please sign in again.'),
)

const busy = add('p', 'Loading…')
const orders = get('/orders')
  .then((orders) => {
    if (orders.length === 0) add('p', 'No orders yet.')
    for (const { title } of orders) add('li', 'Order of ' + title)
  })
  .catch(() => add('p', 'The orders could not be loaded.'))
  .finally(() => busy.remove())

const offer = () => get('/offers').then(({ text }) => add('p', text ?? 'No offer today'), offer)

Promise.allSettled([user.catch(reportError), orders, offer()])
  .then(() => get('/theme'))
  .catch(() => document.body.replaceChildren())

if (location.search.includes('login')) get('/account').then(({ visits }) => add('p', visits + ' visits'))
`

const html = `<!doctype html>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<title>Your account</title>
<style>
  body { background: #fbfaf6; color: #1d2b28; font: 1.375rem/1.6 system-ui, sans-serif; margin: 3rem auto; max-width: 44rem }
  h1 { color: #0b6b61; font-size: 2.75rem; line-height: 1.2 }
  li { background: #fff; border-radius: 0.5rem; box-shadow: 0 1px 4px #0003; list-style: none; margin: 0.75rem 0; padding: 1rem }
</style>
<body><script type="module" src="/main.js"></script></body>
`

export const shopFiles = { 'fixtures/shop.yaml': fixture, 'index.html': html, 'main.js': script }

/** It never rests: a clock, an animation, random content, a stream, a socket and a service worker. */
const restless = `
const add = (name) => document.body.appendChild(Object.assign(document.createElement('p'), { className: name }))
const [clock, random, moved, orders] = ['clock', 'random', 'moved', 'orders'].map(add)
random.textContent = Math.random().toString(36)
const tick = (time) => {
  clock.textContent = 'It is ' + Date.now()
  moved.style.marginLeft = (time % 100) + 'px'
  requestAnimationFrame(tick)
}
tick(0)
new EventSource('/events')
new WebSocket(location.origin.replace('http', 'ws') + '/socket').onerror = () => {}
navigator.serviceWorker?.register('/worker.js')
fetch('/orders')
  .then((response) => response.json())
  .then((list) => (orders.textContent = list.map(({ title }) => title).join(', ') || 'No orders yet'))
  .catch(() => (orders.textContent = 'The orders could not be loaded'))
`
export const restlessFiles = { ...shopFiles, 'main.js': restless }
