import { feed, orders, report, stats, user, type TruthPage } from './page.ts'

/* The habits of smaller libraries (htmx, Alpine, signals, Lit, Angular, D3), of other languages, and of the newer parts of HTML. */

const shop = (content: string) =>
  `<header><b>Fruit and more</b></header><main><h1>Your orders</h1><p>All that you have bought in the last year.</p>${content}</main>`
const get = `
const $ = (selector) => document.querySelector(selector)
const get = async (path) => { const r = await fetch(path); if (!r.ok) throw new Error('HTTP ' + r.status); return r.json() }
const add = (to, tag, text) => { const e = document.createElement(tag); e.textContent = text; to.append(e); return e }
`

const pages: TruthPage[] = [
  {
    name: 'htmx: what fails is not swapped in',
    body: shop(
      '<div id="orders" hx-get="/orders"><p>The orders appear here</p></div><span class="htmx-indicator">One moment</span>',
    ),
    style: '.htmx-indicator { opacity: 0 } .htmx-request .htmx-indicator { opacity: 1 }',
    script: `document.body.classList.add('htmx-request')
fetch('/orders').then(async (r) => {
  if (!r.ok) return console.error('Response Status Error Code ' + r.status + ' from /orders')
  const list = JSON.parse(await r.text())
  $('#orders').innerHTML = list.map((o) => '<p>' + (o.title ?? '') + '</p>').join('') || '<p>You have no orders</p>'
}).catch(() => {}).finally(() => document.body.classList.remove('htmx-request'))`,
    labels: {
      stuck: orders('status 500, status 403, body malformed, connection reset'),
      handled: orders('list empty, list one, null [].title, missing [].internalId'),
    },
  },
  {
    name: 'htmx: a swap of what the server says',
    body: shop('<div id="orders"></div><div id="errors"></div>'),
    script: `fetch('/orders').then(async (r) => {
  if (!r.ok) return $('#errors').insertAdjacentHTML('beforeend', '<p class="flash">The server has answered with ' + r.status + '</p>')
  for (const o of await r.json()) add($('#orders'), 'p', o.title + ': ' + o.price)
})`,
    labels: {
      handled: orders('status 500, status 401, status 429, list one, null [].internalId'),
      crashed: orders('body malformed, connection reset, null []'),
      silent: orders('null [].price, missing [].title'),
    },
  },
  {
    name: 'Alpine: x-show on an error',
    body: shop(
      '<div x-data><p data-show="error" style="display:none" data-text="error"></p><template></template><ul></ul></div>',
    ),
    script: `const data = new Proxy({ error: '', orders: [] }, { set(to, key, value) { to[key] = value; paint(); return true } })
function paint() {
  const p = $('[data-show]')
  p.style.display = data.error ? '' : 'none'
  p.textContent = data.error
  $('ul').replaceChildren()
  for (const o of data.orders) {
    try { add($('ul'), 'li', o.title.trim()) }
    catch (e) { console.warn('Alpine Expression Error: ' + e.message); setTimeout(() => { throw e }, 0) }
  }
}
get('/orders').then((list) => { data.orders = list }, (e) => { data.error = 'Our warehouse did not respond: ' + e.message })`,
    labels: {
      handled: orders('status 500, status 404, body html, connection reset, list one, null [].price'),
      crashed: orders('null [], null [].title, missing [].title last'),
    },
  },
  {
    name: 'signals, with a default in the template',
    body: '<h1>The report</h1><p>By <b id="by">somebody</b>, about <i id="about">something</i></p><p id="total">Total: 0</p>',
    script: `const signal = (value) => { const subs = new Set(); return { get value() { return value }, set value(v) { value = v; for (const s of subs) s(v) }, on: (s) => { subs.add(s) } } }
const [by, about, total] = [signal('somebody'), signal('something'), signal(0)]
by.on((v) => { $('#by').textContent = v }); about.on((v) => { $('#about').textContent = v }); total.on((v) => { $('#total').textContent = 'Total: ' + v })
get('/report').then((r) => { by.value = r.author?.name ?? 'somebody'; about.value = r.title ?? 'something'; total.value = r.total ?? 0 }).catch(() => {})`,
    labels: {
      stuck: report('status 500, status 503, body none, connection reset'),
      handled: report('null title, missing author, null total, slow late'),
    },
  },
  {
    name: 'Lit: a task in a shadow root',
    body: '<h1>The shop</h1><p>Fruit and more since 1950.</p><order-list><span slot="foot">All prices in euros</span></order-list>',
    script: `customElements.define('order-item', class extends HTMLElement { set order(o) { this.attachShadow({ mode: 'open' }).innerHTML = '<style>:host { display: block }</style><b></b>'; this.shadowRoot.querySelector('b').textContent = o.title } })
customElements.define('order-list', class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: 'open' }); this.paint('<p>Preparing your list</p>'); get('/orders').then((l) => { this.paint(''); for (const o of l) { const e = document.createElement('order-item'); e.order = o; this.shadowRoot.querySelector('section').append(e) } }, () => this.paint('<p>Something has come between us and your orders</p>')) }
  paint(html) { this.shadowRoot.innerHTML = '<section>' + html + '</section><slot name="foot"></slot>' }
})`,
    labels: {
      handled: orders(
        'status 500, status 401, body malformed, connection reset, list one, null [].title, slow late',
      ),
      crashed: orders('null []'),
      stuck: orders('connection silent'),
    },
  },
  {
    name: 'a closed shadow root',
    body: '<h1>Your account</h1><p>Here is what we know about you.</p><user-card></user-card>',
    script: `customElements.define('user-card', class extends HTMLElement {
  connectedCallback() { const root = this.attachShadow({ mode: 'closed' }); get('/user').then((u) => add(root, 'p', 'For ' + u.name + ', ' + u.email), () => add(root, 'p', 'Your account can’t be shown')) }
})`,
    labels: {
      handled: user('status 500, status 403, body html, connection reset'),
      silent: user('null name, missing email'),
    },
  },
  {
    name: 'Angular: an error handler that writes to the console',
    body: '<app-root><h1>Your orders</h1><p>All that you have bought.</p><ul></ul></app-root>',
    script: `const handleError = (e) => console.error('ERROR', e)
get('/orders').then((list) => { for (const o of list) add($('ul'), 'li', o.title.toLowerCase() + ' ' + o.price.toFixed(2)) }).catch(handleError)`,
    labels: {
      crashed: orders('null [], null [].title, missing [].price'),
      handled: orders('list one, null [].internalId'),
    },
  },
  {
    name: 'Angular: an interceptor with a snack bar',
    body: '<app-root><h1>Your orders</h1><p>All that you have bought.</p><ul></ul></app-root><div class="cdk-overlay-container"></div>',
    style: '.cdk-overlay-container { position: fixed; inset: auto 0 0 0 }',
    script: `get('/orders').then((list) => { for (const o of list) add($('ul'), 'li', o.title) }, (e) => { const s = add($('.cdk-overlay-container'), 'div', /401/.test(e.message) ? 'Your session is over' : 'The service is down'); setTimeout(() => s.remove(), 900) })`,
    labels: {
      handled: orders('status 500, status 401, body malformed, connection reset, list one, missing [].id'),
    },
  },
  {
    name: 'D3: text of an SVG',
    body: '<h1>Visits</h1><p>How many have come to see the shop, day by day.</p><svg id="chart" width="320" height="120" viewBox="0 0 320 120"></svg>',
    script: `const svg = (tag, attributes, text) => { const e = document.createElementNS('http://www.w3.org/2000/svg', tag); for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v); if (text !== undefined) e.textContent = text; $('#chart').append(e) }
get('/stats').then((s) => { svg('text', { x: 0, y: 12 }, s.label); s.points.forEach((v, i) => svg('rect', { x: i * 50, y: 120 - v, width: 40, height: v })) }, () => svg('text', { x: 10, y: 60 }, 'The visits are out of reach'))`,
    labels: {
      handled: stats('status 500, status 404, body html, connection reset, list one points, null label'),
      crashed: stats('null points, missing points'),
    },
  },
  {
    name: 'D3: no text of an SVG',
    body: '<h1>Visits</h1><p>How many have come to see the shop, day by day.</p><svg id="chart" width="320" height="120" viewBox="0 0 320 120"></svg>',
    script: `const svg = (tag, attributes, text) => { const e = document.createElementNS('http://www.w3.org/2000/svg', tag); for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v); if (text !== undefined) e.textContent = text; $('#chart').append(e) }
get('/stats').then((s) => { svg('text', { x: 0, y: 12 }, s.label ?? ''); s.points.forEach((v, i) => svg('rect', { x: i * 50, y: 120 - v, width: 40, height: v })) }).catch(() => {})`,
    labels: {
      silent: stats('status 500, status 404, body malformed, connection reset'),
      handled: stats('null label, slow late'),
    },
  },
  {
    name: 'a dialog that closes itself',
    body: shop('<ul></ul><dialog><p>No answer from the shop.</p></dialog>'),
    script: `get('/orders').then((list) => { for (const o of list) add($('ul'), 'li', o.title) }, () => { $('dialog').show(); setTimeout(() => $('dialog').close(), 500) })`,
    labels: { handled: orders('status 500, status 422, body none, connection reset, list one') },
  },
  {
    name: 'a popover',
    body: shop('<ul></ul><div id="note" popover="manual">This took us by surprise</div>'),
    script: `get('/orders').then((list) => { for (const o of list) add($('ul'), 'li', o.title) }, () => { $('#note').showPopover(); setTimeout(() => $('#note').hidePopover(), 600) })`,
    labels: { handled: orders('status 500, body malformed, connection reset, null [].price') },
  },
  {
    name: 'a name that is shown before it is known, and taken back without a word',
    body: '<h1>Your account</h1><p id="name">Grace Hopper</p><p>You have 12 orders in the last year.</p>',
    script: `get('/user').then((u) => { $('#name').textContent = u.name ?? 'Without a name' }, () => { $('#name').textContent = '' })`,
    labels: {
      silent: user('status 500, status 401, body html, connection reset'),
      handled: user('null name, missing name, null email'),
    },
  },
  {
    name: 'a name that is shown before it is known, and stays',
    body: '<h1>Your account</h1><p id="name">Grace Hopper</p><p>You have 12 orders in the last year.</p>',
    script: `get('/user').then((u) => { $('#name').textContent = u.name ?? $('#name').textContent }).catch(() => {})`,
    labels: {
      silent: user('status 500, body malformed, connection reset, null name, missing name'),
      handled: user('null email'),
    },
  },
  {
    name: 'Spanish: all states',
    body: '<h1>Sus pedidos</h1><p>Todo lo que ha comprado este año.</p><div id="lista">Un momento, por favor</div>',
    script: `get('/orders').then((l) => { $('#lista').replaceChildren(); for (const o of l) add($('#lista'), 'p', o.title ?? 'Sin título'); if (!l.length) add($('#lista'), 'p', 'Todavía no tiene pedidos') }, () => { $('#lista').textContent = 'Hubo un fallo al traer sus pedidos' })`,
    labels: {
      handled: orders('status 500, status 401, body html, list empty, connection reset, null [].title'),
      crashed: orders('null []'),
      stuck: orders('connection silent'),
    },
  },
  {
    name: 'Japanese: a failure looks like an empty list',
    body: '<h1>ご注文の一覧</h1><p>昨年のご購入の履歴です。</p><ul></ul><p id="none"></p>',
    script: `get('/orders').catch(() => []).then((l) => { for (const o of l) add($('ul'), 'li', o.title ?? '名称未設定'); if (!l.length) $('#none').textContent = 'まだご注文はございません' })`,
    labels: {
      silent: orders('status 500, status 503, body malformed, connection reset'),
      handled: orders('list empty, null [].title, list one'),
    },
  },
  {
    name: 'Arabic: all states, and a login',
    body: '<div dir="rtl"><h1>طلباتك</h1><p>كل ما اشتريته هذا العام.</p><p id="state">لحظة من فضلك</p><ul></ul></div>',
    script: `get('/orders').then((l) => { $('#state').textContent = l.length ? '' : 'ليست لديك طلبات'; for (const o of l) add($('ul'), 'li', o.title) }, (e) => { if (/401/.test(e.message)) location.assign('/login.html'); else $('#state').textContent = 'تعذر تحميل طلباتك' })`,
    labels: {
      handled: orders('status 500, status 401, body malformed, list empty, null [].title, connection reset'),
      stuck: orders('connection silent'),
    },
  },
  {
    name: 'French: an empty basket in the place of a failure',
    body: '<h1>Votre panier</h1><p>Ce que vous avez choisi jusqu’ici.</p><ul></ul><p id="vide" hidden>Votre panier attend ses premiers fruits</p>',
    script: `get('/orders').then((l) => l, () => []).then((l) => { for (const o of l) add($('ul'), 'li', o.title ?? 'Article'); $('#vide').hidden = l.length > 0 })`,
    labels: {
      silent: orders('status 500, status 404, body html, connection reset'),
      handled: orders('list empty, list one, null [].title'),
    },
  },
  {
    name: 'Thai: a sign of loading that stays, and a message',
    body: '<h1>คำสั่งซื้อของคุณ</h1><p>ทุกอย่างที่คุณซื้อในปีนี้</p><p id="state">กำลังโหลด</p><ul></ul>',
    script: `fetch('/orders').then(async (r) => { if (!r.ok) return; const l = await r.json(); $('#state').remove(); for (const o of l) add($('ul'), 'li', o.title) }).catch(() => { $('#state').textContent = 'เชื่อมต่อไม่ได้' })`,
    labels: {
      stuck: orders('status 500, status 401, connection silent'),
      handled: orders('body malformed, connection reset, list one'),
    },
  },
  {
    name: 'skeletons in a region that is aria-busy',
    body: shop(
      '<section id="s" aria-busy="true"><div class="bone"></div><div class="bone"></div><div class="bone"></div></section>',
    ),
    style: '.bone { height: 1em; margin: 1em; background: #ddd }',
    script: `get('/orders').then((l) => { $('#s').ariaBusy = 'false'; $('#s').replaceChildren(); for (const o of l) add($('#s'), 'p', o.title ?? 'A parcel') }).catch(() => {})`,
    labels: {
      stuck: orders('status 500, status 403, body malformed, connection reset, connection silent'),
      handled: orders('list one, null [].title, slow late'),
    },
  },
  {
    name: 'a router whose login is a hash',
    body: '<div id="app"></div>',
    script: `const routes = { '': '<h1>Your orders</h1><p>All that you have bought in the last year.</p><ul></ul>', '#/enter': '<h1>Who are you?</h1><label>Name <input></label><label>Password <input type="password"></label><button>Go</button>' }
const paint = () => { $('#app').innerHTML = routes[location.hash] }
onhashchange = paint
paint()
get('/orders').then((l) => { for (const o of l) add($('ul'), 'li', o.title) }).catch((e) => { if (/40[13]/.test(e.message)) location.hash = '#/enter' })`,
    labels: {
      handled: orders('status 401, status 403, list one, null [].internalId'),
      silent: orders('status 500, body html, connection reset'),
    },
  },
  {
    name: 'a border turns red',
    body: shop('<div id="box"><ul></ul></div>'),
    style: '.bad { border: 2px solid red }',
    script: `get('/orders').then((l) => { for (const o of l) add($('ul'), 'li', o.title) }).catch(() => $('#box').classList.add('bad'))`,
    labels: { silent: orders('status 500, status 429, body malformed, connection reset') },
  },
  {
    name: 'a picture with an alternative text',
    body: shop('<div id="box"><ul></ul></div>'),
    script: `get('/orders').then((l) => { for (const o of l) add($('ul'), 'li', o.title) }).catch(() => { $('#box').innerHTML = '<img width="80" height="80" alt="A broken parcel: we lost your orders" src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%2280%22 height=%2280%22><circle cx=%2240%22 cy=%2240%22 r=%2230%22/></svg>">' })`,
    labels: { handled: orders('status 500, status 404, body none, connection reset, list one') },
  },
  {
    name: 'a choice of options',
    body: '<h1>Send it back</h1><form><label>Which order? <select id="which"><option>Collecting your orders</option></select></label><button>Send</button></form>',
    script: `const fill = (texts) => $('#which').replaceChildren(...texts.map((t) => new Option(t)))
get('/orders').then((l) => fill(l.length ? l.map((o) => o.title) : ['Nothing to send back']), () => fill(['The list is not here right now']))`,
    labels: {
      handled: orders('status 500, status 401, body html, list empty, connection reset'),
      stuck: orders('connection silent'),
    },
  },
  {
    name: 'a message after a pause',
    body: shop('<ul></ul><p id="m"></p>'),
    script: `get('/orders').then((l) => { for (const o of l) add($('ul'), 'li', o.title) }).catch(() => setTimeout(() => { $('#m').textContent = 'Your orders stay away today' }, 900))`,
    labels: { handled: orders('status 500, status 503, body malformed, connection reset') },
  },
  {
    name: 'a message after an animation',
    body: shop('<div id="box"><ul></ul></div>'),
    script: `get('/orders').then((l) => { for (const o of l) add($('ul'), 'li', o.title) }).catch(async () => { await $('#box').animate([{ opacity: 1 }, { opacity: 0.2 }], 350).finished; $('#box').textContent = 'Your orders stay away today' })`,
    labels: { handled: orders('status 500, status 404, body html, connection reset') },
  },
  {
    name: 'it counts down before it gives up',
    body: shop('<ul></ul><p id="m"></p>'),
    script: `get('/orders').then((l) => { for (const o of l) add($('ul'), 'li', o.title) }).catch(() => { let n = 2; const t = setInterval(() => { if (n-- === 0) { clearInterval(t); $('#m').textContent = 'We have given up on your orders' } }, 150) })`,
    labels: { handled: orders('status 500, status 422, body none, connection reset') },
  },
  {
    name: 'it crashes after a pause',
    body: shop('<ul></ul>'),
    script: `fetch('/orders').then((r) => r.json()).then((l) => { for (const o of l) add($('ul'), 'li', o.title ?? ''); setTimeout(() => l.forEach((o) => o.price.toFixed(2)), 350) }, () => add($('ul'), 'li', 'The shop is closed'))`,
    labels: {
      crashed: orders('null [].price, missing [].price last'),
      handled: orders('body malformed, connection reset, list one, null [].internalId'),
    },
  },
  {
    name: 'it says that it tries again, and what is wrong',
    body: shop('<ul></ul><p id="m"></p>'),
    script: `const load = () => get('/orders').then((l) => { $('#m').textContent = ''; for (const o of l) add($('ul'), 'li', o.title) }, () => { $('#m').textContent = 'The connection is lost. Retrying in a minute…'; setTimeout(load, 60000) })
load()`,
    labels: { handled: orders('status 500, status 503, body malformed, connection reset, list one') },
  },
  {
    name: 'news below one another, whose next page fails',
    body: '<h1>News of the shop</h1><p>The latest first.</p><div id="news"></div><button id="more">More</button>',
    script: `const load = async (page) => { const f = await get('/feed?page=' + page); for (const n of f.data) add($('#news'), 'article', n.text.toUpperCase()); $('#more').hidden = !f.has_more }
load(1).catch((e) => add($('#news'), 'p', e instanceof TypeError ? 'These news can’t be read' : 'The news are late today'))`,
    labels: {
      handled: feed(
        'status 500, page empty data, list one data, null data, null data[].text, body html, connection reset',
      ),
    },
  },
  {
    name: 'a report with numbers only',
    body: '<h1>The report</h1><dl><dt>Total</dt><dd id="t">–</dd><dt>Half of it</dt><dd id="h">–</dd></dl>',
    script: `get('/report').then((r) => { $('#t').textContent = r.total; $('#h').textContent = r.total / 2 }).catch(() => {})`,
    labels: {
      silent: report('status 500, body malformed, connection reset, missing total'),
      stuck: report('connection silent'),
      handled: report('null title, null author, slow late'),
    },
  },
]

export const otherPages = pages.map((page) => ({ ...page, script: `${get}\n${page.script}` }))
