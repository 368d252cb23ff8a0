import { orders, report, user, type TruthPage } from './page.ts'

/* Vue with a store, as of Pinia, and what Svelte compiles its blocks to. */

const body = '<div id="app"></div>'
const store = `
const { createApp, reactive, onMounted } = Vue
const get = async (path) => { const r = await fetch(path); if (!r.ok) throw new Error('HTTP ' + r.status); return r.json() }
`

/** A block of Svelte: it inserts and removes nodes beside an anchor. */
const svelte = `
const target = document.getElementById('app')
const anchor = document.createComment('')
target.append(anchor)
let block = []
const put = (...nodes) => { for (const n of block) n.remove(); block = nodes; for (const n of nodes) target.insertBefore(n, anchor) }
const el = (tag, text, attributes = {}) => Object.assign(document.createElement(tag), { textContent: text }, attributes)
const get = async (path) => { const r = await fetch(path); if (!r.ok) throw new Error('HTTP ' + r.status); return r.json() }
const awaitBlock = (promise, pending, then, fail) => { put(...pending()); promise.then((v) => put(...then(v)), (e) => { if (!fail) throw e; put(...fail(e)) }) }
`
const svelteBody = '<h1>The shop</h1><p>Fruit and more since 1950, at your door.</p><div id="app"></div>'

export const vuePages: TruthPage[] = [
  {
    name: 'a store with three states, in French',
    uses: 'vue',
    body,
    script: `${store}
const s = reactive({ list: [], error: '', busy: true })
const load = async () => { try { s.list = await get('/orders') } catch { s.error = 'Impossible de charger les commandes' } finally { s.busy = false } }
createApp({ setup() { onMounted(load); return { s } }, template: \`<h1>Vos commandes</h1><p>Tout ce que vous avez acheté.</p><p v-if="s.busy">Un instant</p><p v-else-if="s.error">{{ s.error }}</p><p v-else-if="!s.list.length">Aucune commande</p><ul v-else><li v-for="o in s.list">{{ o.title }}</li></ul>\` }).mount('#app')`,
    labels: {
      handled: orders(
        'status 500, status 404, body malformed, list empty, list one, connection reset, null [].title last, null [].internalId last, slow late',
      ),
      stuck: orders('connection silent'),
    },
  },
  {
    name: 'an action without a catch',
    uses: 'vue',
    body,
    script: `${store}
const s = reactive({ list: [] })
createApp({ setup() { onMounted(async () => { s.list = await get('/orders') }); return { s } }, template: \`<h1>Orders</h1><p>All that you have bought.</p><ul><li v-for="o in s.list">{{ o.title }} for {{ o.price }}</li></ul>\` }).mount('#app')`,
    labels: {
      crashed: orders('status 500, status 401, body malformed, connection reset, null [] last'),
      handled: orders('list one, null [].internalId last'),
    },
  },
  {
    name: 'a deep field in a template',
    uses: 'vue',
    body,
    script: `${store}
const s = reactive({ report: null, failed: false })
createApp({ setup() { onMounted(async () => { try { s.report = await get('/report') } catch { s.failed = true } }); return { s } }, template: \`<h1>Report</h1><div v-if="s.failed" class="warning">This report is not available.</div><article v-else-if="s.report">{{ s.report.title }}, by {{ s.report.author.name }}, {{ s.report.total / 2 }} pages</article>\` }).mount('#app')`,
    labels: {
      handled: report(
        'status 500, body html, connection reset, null title, null author.email, null author.name',
      ),
      crashed: report('null author, missing author'),
      silent: report('missing total'),
    },
  },
  {
    name: 'a flag that stays',
    uses: 'vue',
    body,
    script: `${store}
const s = reactive({ user: null, pending: true })
createApp({ setup() { onMounted(async () => { try { s.user = await get('/user'); s.pending = false } catch (e) { console.warn(e) } }); return { s } }, template: \`<h1>Account</h1><p>Your name and address, as they are on our letters.</p><p v-if="s.pending">Fetching your account</p><p v-else>{{ s.user.name || 'Anonymous' }}</p>\` }).mount('#app')`,
    labels: {
      stuck: user('status 500, status 401, body malformed, connection reset'),
      handled: user('null name, empty name, null email'),
    },
  },
  {
    name: 'a toast in another place of the page',
    uses: 'vue',
    body,
    style: '.toast { position: fixed; top: 0 }',
    script: `${store}
const s = reactive({ list: null, toast: '' })
const load = async () => { try { s.list = await get('/orders') } catch { s.list = []; s.toast = 'The shop does not answer.'; setTimeout(() => { s.toast = '' }, 800) } }
createApp({ setup() { onMounted(load); return { s } }, template: \`<h1>Orders</h1><p>All that you have bought in the last year, with prices.</p><ul><li v-for="o in s.list">{{ o.title }}</li></ul><Teleport to="body"><div v-if="s.toast" class="toast">{{ s.toast }}</div></Teleport>\` }).mount('#app')`,
    labels: {
      handled: orders('status 500, status 401, body malformed, connection reset, null [].title last'),
    },
  },
  {
    name: 'Svelte: await, then, catch',
    body: svelteBody,
    script: `${svelte}
awaitBlock(get('/orders'), () => [el('p', '...waiting')], (list) => list.length ? list.map((o) => el('li', o.title)) : [el('p', 'The basket is empty')], (e) => [el('p', e.message, { style: 'color: red' })])`,
    labels: {
      handled: orders(
        'status 500, status 401, body malformed, list empty, list one, connection reset, null [].title last, missing [].title last',
      ),
      stuck: orders('connection silent'),
    },
  },
  {
    name: 'Svelte: await without catch',
    body: svelteBody,
    script: `${svelte}
awaitBlock(get('/report'), () => [el('p', 'soon')], (r) => [el('h2', r.title), el('p', \`\${r.author?.name ?? 'anonymous'}\`)])`,
    labels: {
      crashed: report('status 500, body malformed, connection reset'),
      handled: report('null author, null author.name, null total, null title'),
    },
  },
  {
    name: 'Svelte: a store that falls back',
    body: svelteBody,
    script: `${svelte}
put(el('p', 'Hello there'))
get('/user').then((u) => put(el('p', 'Hello ' + u.name)), () => put(el('p', 'You are not logged in')))`,
    labels: {
      handled: user('status 401, status 500, body malformed, null email'),
      silent: user('null name, missing name'),
    },
  },
]
