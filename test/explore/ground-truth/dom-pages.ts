import { orders, report, stats, user, feed, type TruthPage } from './page.ts'

/* Plain DOM, as in small tools and old pages. */

const frame = (
  content: string,
) => `<header><b>Fruit and more</b> <a href="#a">Shop</a> <a href="#b">Account</a></header>
<main><h1>Your orders</h1><p>All that you have bought in the last year, with prices.</p>${content}</main>
<footer>Fruit and more, Main Street 1</footer>`

const rows = `
const $ = (id) => document.getElementById(id)
const show = (list) => { for (const o of list) { const li = document.createElement('li'); li.textContent = o.title + ', ' + o.price; $('list').append(li) } }
const json = (r) => r.ok ? r.json() : Promise.reject(new Error('HTTP ' + r.status))
`

export const domPages: TruthPage[] = [
  {
    name: 'a placeholder is replaced only if the answer is fine',
    body: '<h1>The report</h1><p id="r">Report is coming…</p>',
    script: `fetch('/report').then(async (r) => { if (r.ok) { const d = await r.json(); document.getElementById('r').textContent = d.title + ' by ' + d.author.name } })`,
    labels: {
      stuck: report('status 500, status 401, status 404, connection silent'),
      crashed: report('body malformed, body html, body none, connection reset, null author, missing author'),
      silent: report('null title, missing title, null author.name'),
      handled: report('null total, missing author.email, slow late, long title'),
    },
  },
  {
    name: 'messages that are hidden in the HTML',
    body: frame(
      '<p id="loading">Loading orders</p><p id="error" hidden>The orders could not be loaded.</p><p id="empty" class="off">No orders yet</p><ul id="list"></ul>',
    ),
    style: '.off { display: none }',
    script: `${rows}
fetch('/orders').then(json).then((list) => {
  if (list.length === 0) $('empty').classList.remove('off')
  show(list.map((o) => ({ ...o, title: o?.title ?? 'Untitled', price: o?.price ?? 'for free' })))
}).catch(() => { $('error').hidden = false }).finally(() => { $('loading').hidden = true })`,
    labels: {
      handled: orders(
        'status 500, status 401, status 429, body malformed, body none, list empty, list one, connection reset, null [].title last, missing [].title last, null [].internalId last, slow late',
      ),
      stuck: orders('connection silent'),
    },
  },
  {
    name: 'a failure that looks like an empty list',
    body: frame('<ul id="list"></ul><p id="none"></p>'),
    script: `${rows}
fetch('/orders').then(json).catch(() => []).then((list) => { if (list.length) show(list); else $('none').textContent = 'You have not ordered anything yet' })`,
    labels: {
      silent: orders(
        'status 500, status 503, body malformed, connection reset, null [].title last, missing [].title last',
      ),
      handled: orders('list empty, null [].internalId last'),
    },
  },
  {
    name: 'German: an empty list keeps the text of the beginning',
    body: '<h1>Ihre Bestellungen</h1><p>Hier steht, was Sie im letzten Jahr gekauft haben.</p><div id="list">Bestellungen werden geladen</div>',
    script: `${rows}
fetch('/orders').then(json).then((list) => {
  if (list.length) { $('list').textContent = ''; for (const o of list) { const p = document.createElement('p'); p.textContent = o.title ?? 'Ohne Namen'; $('list').append(p) } }
}).catch(() => { $('list').textContent = 'Die Bestellungen sind gerade nicht erreichbar.' })`,
    labels: {
      handled: orders(
        'status 500, status 404, body html, connection reset, null [].title last, null [].price last',
      ),
      stuck: orders('list empty'),
    },
  },
  {
    name: 'Japanese: a status is forgotten, a broken body is not',
    body: '<h1>ご注文の一覧</h1><p>昨年のご購入の履歴をご確認いただけます。</p><p id="state">読み込み中</p><ul id="list"></ul>',
    script: `${rows}
fetch('/orders').then(async (r) => {
  if (!r.ok) return
  const list = await r.json()
  $('state').textContent = list.length ? '' : '注文はありません'
  show(list.map((o) => ({ title: o.title ?? '（無題）', price: o.price })))
}).catch(() => { $('state').textContent = '注文を読み込めませんでした' })`,
    labels: {
      stuck: orders('status 500, status 401, status 503'),
      handled: orders('body malformed, body html, list empty, connection reset, null [].title last'),
    },
  },
  {
    name: 'a toast that vanishes',
    body: frame('<ul id="list"></ul>'),
    style: '.note { position: fixed; right: 1rem; bottom: 1rem; background: #333; color: #fff }',
    script: `${rows}
const toast = (text) => { const d = document.createElement('div'); d.className = 'note'; d.textContent = text; document.body.append(d); setTimeout(() => d.remove(), 700) }
fetch('/orders').then(json).then(show).catch(() => toast('We could not load your orders.'))`,
    labels: {
      handled: orders(
        'status 500, status 401, body malformed, connection reset, null [].internalId last, slow late',
      ),
      silent: orders('null [].title last, missing [].title last'),
    },
  },
  {
    name: 'a message that stays transparent',
    body: frame('<ul id="list"></ul><div class="m"><p id="m"></p></div>'),
    style: '.m { opacity: 0 }',
    script: `${rows}
fetch('/orders').then(json).then(show).catch(() => { $('m').textContent = 'The orders could not be loaded.' })`,
    labels: { silent: orders('status 500, connection reset'), handled: orders('slow late') },
  },
  ...['opacity: 0', 'transform: translateY(200%)', 'opacity: 0; transition: opacity 0.3s'].map(
    (hidden): TruthPage => ({
      name: `a toast that is always there, with ${hidden}`,
      body: frame('<ul id="list"></ul><div class="note"><p>Your orders could not be loaded.</p></div>'),
      style: `.note { position: fixed; right: 1rem; bottom: 1rem; ${hidden} } .note.on { opacity: 1; transform: none }`,
      script: `${rows}
const note = document.querySelector('.note')
fetch('/orders').then(json).then(show).catch(() => { note.classList.add('on'); setTimeout(() => note.classList.remove('on'), 700) })`,
      labels: { handled: orders('status 500, connection reset, slow late') },
    }),
  ),
  {
    name: 'a toast that fades in and out by keyframes',
    body: frame('<ul id="list"></ul>'),
    style:
      '.note { position: fixed; right: 1rem; bottom: 1rem; animation: fade 0.4s both } @keyframes fade { from, to { opacity: 0; transform: translateX(200%) } 50% { opacity: 1; transform: none } }',
    script: `${rows}
const toast = (text) => { const d = document.createElement('div'); d.className = 'note'; d.textContent = text; document.body.append(d) }
fetch('/orders').then(json).then(show).catch(() => toast('We could not load your orders.'))`,
    labels: { handled: orders('status 500, connection reset, slow late') },
  },
  {
    name: 'a message below, which is revealed when it is scrolled to',
    body: frame('<div style="height: 3000px"></div><ul id="list"></ul><p id="m" class="m"></p>'),
    style: '.m { opacity: 0 }',
    script: `${rows}
new IntersectionObserver(([e]) => { if (e.isIntersecting) $('m').style.opacity = 1 }).observe($('m'))
fetch('/orders').then(json).then(show).catch(() => { $('m').textContent = 'The orders could not be loaded.' })`,
    labels: { handled: orders('status 500, connection reset, slow late') },
  },
  {
    name: 'an application that is fixed and scrolls within',
    body: `<div style="position: fixed; inset: 0; overflow: auto">${frame('<div style="height: 3000px"></div><ul id="list"></ul><p id="m"></p>')}</div>`,
    script: `${rows}
fetch('/orders').then(json).then(show).catch(() => { $('m').textContent = 'The orders could not be loaded.' })`,
    labels: {
      handled: orders('status 500, connection reset, null [].internalId last'),
      silent: orders('null [].title last'),
    },
  },
  {
    name: 'alert()',
    body: frame('<ul id="list"></ul>'),
    script: `${rows}
fetch('/orders').then(json).then(show).catch((e) => alert('No orders: ' + e.message))`,
    labels: { handled: orders('status 500, status 403, body truncated, connection reset') },
  },
  {
    name: 'a sign with a title',
    body: frame('<ul id="list"></ul>'),
    script: `${rows}
fetch('/orders').then(json).then(show).catch(() => { $('list').innerHTML = '<li><span title="The orders could not be loaded">⚠</span></li>' })`,
    labels: { handled: orders('status 500, body html, connection reset, slow late') },
  },
  {
    name: 'a redirect to the login, and to an error page',
    body: frame('<ul id="list"></ul>'),
    script: `${rows}
fetch('/orders').then((r) => {
  if (r.status === 401) location.href = '/login.html'
  else if (!r.ok) location.href = '/error.html'
  else return r.json().then(show)
})`,
    labels: {
      handled: orders('status 401, status 500, status 503, null [].internalId last'),
      crashed: orders('body malformed, connection reset'),
    },
  },
  {
    name: 'a redirect home without a word',
    body: frame('<ul id="list"></ul>'),
    script: `${rows}
fetch('/orders').then(json).then(show).catch(() => location.replace('/home.html'))`,
    labels: { silent: orders('status 500, status 401, body malformed, connection reset') },
  },
  {
    name: 'a field that is marked',
    body: '<h1>Your account</h1><form><label>Name <input id="name" value=""></label><label>Note <textarea>Please ring twice</textarea></label><button>Save the account</button></form>',
    style: '[aria-invalid] { outline: 2px solid red }',
    script: `const field = document.getElementById('name')
fetch('/user').then((r) => r.ok ? r.json() : Promise.reject()).then((u) => { field.value = u.name ?? '' }).catch(() => field.setAttribute('aria-invalid', 'true'))`,
    labels: { handled: user('status 500, status 422, body malformed, null email, null name') },
  },
  {
    name: 'a dialog',
    body: frame(
      '<ul id="list"></ul><dialog id="d"><p>We can’t reach the shop.</p><button>Close</button></dialog>',
    ),
    script: `${rows}
fetch('/orders').then(json).then(show).catch(() => $('d').showModal())`,
    labels: { handled: orders('status 500, status 401, body html, connection reset, slow late') },
  },
  {
    name: 'the title of the document',
    body: frame('<ul id="list"></ul>'),
    script: `${rows}
document.title = 'Your orders'
fetch('/orders').then(json).then(show).catch(() => { document.title = 'Error: no orders' })`,
    labels: { handled: orders('status 500, body malformed, connection reset') },
  },
  {
    name: 'a message in the console only',
    body: frame('<ul id="list"></ul>'),
    script: `${rows}
fetch('/orders').then(json).then(show).catch((e) => console.error('The orders could not be loaded', e))`,
    labels: {
      silent: orders('status 500, status 401, body malformed, connection reset'),
      handled: orders('slow late'),
    },
  },
  {
    name: 'everything is taken away',
    body: frame('<ul id="list"></ul>'),
    script: `${rows}
fetch('/orders').then(json).then(show).catch(() => document.body.replaceChildren())`,
    labels: { blank: orders('status 500, status 429, body html, connection reset') },
  },
  {
    name: 'it tries again and again',
    body: frame('<p id="state">One moment</p><ul id="list"></ul>'),
    script: `${rows}
const load = () => fetch('/orders').then(json).then((list) => { $('state').remove(); show(list) }).catch(() => setTimeout(load, 30))
load()`,
    labels: {
      looping: orders('status 500, status 401, body malformed, connection reset'),
      handled: orders('slow late'),
    },
  },
  {
    name: 'a table',
    body: frame(
      '<table><thead><tr><th>Title</th><th>Price</th></tr></thead><tbody id="list"></tbody></table>',
    ),
    script: `${rows}
fetch('/orders').then(json).catch(() => null).then((list) => {
  $('list').innerHTML = list === null ? '<tr><td colspan=2>The table is not available</td></tr>' : list.length === 0 ? '<tr><td colspan=2>No rows</td></tr>' :
    list.map((o) => '<tr><td>' + o.title + '</td><td>' + o.price.toFixed(2) + '</td></tr>').join('')
})`,
    labels: {
      handled: orders(
        'status 500, body malformed, list empty, list one, connection reset, missing [].internalId last',
      ),
      crashed: orders('null [].price last, missing [].price last, null [] last'),
      silent: orders('missing [].title last, null [].title last'),
    },
  },
  {
    name: 'a chart, which is empty after a failure',
    body: '<h1>Visits</h1><p>How many have come to see the shop, day by day.</p><canvas id="c" width="300" height="100"></canvas>',
    script: `const draw = (c, p) => p.forEach((v, i) => c.fillRect(i * 50, 100 - v, 40, v))
fetch('/stats').then((r) => r.ok ? r.json() : Promise.reject()).then((s) => draw(document.getElementById('c').getContext('2d'), s.points)).catch(() => {})`,
    labels: {
      silent: stats('status 500, status 401, body malformed, connection reset'),
      handled: stats('null label'),
    },
  },
  {
    name: 'a chart that says what is wrong',
    body: '<h1>Visits</h1><p>How many have come to see the shop, day by day.</p><canvas id="c" width="300" height="100"></canvas>',
    script: `const c = document.getElementById('c').getContext('2d')
c.fillText('Collecting visits', 10, 20)
fetch('/stats').then((r) => r.ok ? r.json() : Promise.reject()).then((s) => { c.clearRect(0, 0, 300, 100); c.fillText(s.label, 10, 20); s.points.forEach((v, i) => c.fillRect(i * 50, 100 - v, 40, v)) })
  .catch(() => { c.clearRect(0, 0, 300, 100); c.fillText('The visits could not be read', 10, 20) })`,
    labels: { handled: stats('status 500, body html, connection reset, slow late') },
  },
  {
    name: 'a list that shows only what is in view',
    body: '<h1>Log</h1><p>What has happened in the shop, the latest entries first.</p><div id="view" style="height:60px;overflow:auto"><div id="all"></div></div>',
    script: `fetch('/orders').then((r) => r.ok ? r.json() : Promise.reject()).then((list) => {
  const many = Array.from({ length: 300 }, (_, i) => list[i] ?? { title: 'Entry ' + i })
  const view = document.getElementById('view'), all = document.getElementById('all')
  all.style.cssText = 'position:relative;height:6000px'
  const paint = () => { const first = Math.floor(view.scrollTop / 20); all.replaceChildren(...many.slice(first, first + 2).map((o, i) => { const d = document.createElement('div'); d.textContent = o.title.trim(); d.style.cssText = 'position:absolute;top:' + (first + i) * 20 + 'px'; return d })) }
  view.onscroll = paint
  paint()
}).catch((e) => { document.getElementById('view').textContent = e instanceof TypeError ? 'This entry can’t be shown' : 'The log is out of reach' })`,
    labels: {
      handled: orders(
        'status 500, body malformed, connection reset, null [].title last, null [].title, missing [].price last',
      ),
    },
  },
  {
    name: 'a list that goes on when it is scrolled',
    body: '<h1>News of the shop</h1><div id="list"></div><p id="end" style="margin-top:3000px">.</p>',
    script: `let page = 1
const load = () => fetch('/feed?page=' + page++).then((r) => r.ok ? r.json() : Promise.reject()).then((f) => {
  if (f.data.length === 0) document.getElementById('list').append('Nothing new')
  for (const { text } of f.data) { const p = document.createElement('p'); p.textContent = text; document.getElementById('list').append(p) }
}).catch(() => document.getElementById('list').append('More news could not be loaded'))
load().then(() => new IntersectionObserver(([e]) => { if (e.isIntersecting) load() }).observe(document.getElementById('end')))`,
    labels: {
      handled: feed('status 500, page empty data, page lost data, body malformed'),
      unreached: feed('page fails data, page repeated-next data, page lost-next data'),
    },
  },
  {
    name: 'a greeting that is kept',
    body: '<h1 id="hello">Hello, guest</h1><p>Welcome to the shop. Here is what is new this week.</p><p>Oranges, lemons and chocolate.</p>',
    script: `fetch('/user').then(async (r) => { if (r.ok) { const u = await r.json(); if (u.name) document.getElementById('hello').textContent = 'Hello, ' + u.name } }).catch(() => {})`,
    labels: {
      silent: user('status 500, status 401, body malformed, connection reset'),
      handled: user('null name, missing name, null email'),
    },
  },
  {
    name: 'a number that is kept',
    body: '<h1>Shop</h1><p id="n">0 orders</p><p>Welcome to the shop. Here is what is new this week.</p>',
    script: `fetch('/orders').then(async (r) => { if (r.ok) document.getElementById('n').textContent = (await r.json()).length + ' orders' }).catch(() => {})`,
    labels: {
      silent: orders('status 500, body malformed, connection reset'),
      handled: orders('list empty, list one, null [].title last'),
    },
  },
]
