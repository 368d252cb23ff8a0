/* Clients of third parties in a page, as npm has them: their scripts, forms, headers, errors and sessions. */
import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostsNamed, type RunningHost } from '../hosts/hosts.ts'
import { createTestProject } from '../hosts/test-project.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()
const [vite] = hostsNamed('Vite 8 dev')

/** What a third party's own script does: it asks another origin of the third party, with a form and cookies. */
const script = (name: string) => `
globalThis.${name} = (key) => ({
  createToken: async () => {
    const body = new URLSearchParams({ 'card[number]': '4242', key })
    const url = 'https://api.thirdparty.example/v1/tokens'
    const answer = await fetch(url, { method: 'POST', body, credentials: 'include' })
    return { status: answer.status, id: answer.headers.get('request-id'), body: await answer.json() }
  },
})
globalThis.${name}.src = document.currentScript.src
`
const ofScript = (name: string) => ({
  headers: { 'content-type': 'text/javascript' },
  body: script(name),
})
const supabase = 'https://abc.supabase.co'
const todos = [
  { id: 1, title: 'Read' },
  { id: 2, title: 'Write' },
]
const session = { access_token: 'of-ada', refresh_token: 'r', token_type: 'bearer', expires_in: 3600 }
const routes = [
  { url: 'https://js.thirdparty.example/v3/', response: ofScript('ThirdParty') },
  { url: 'https://js.thirdparty.example/deferred.js', response: ofScript('Deferred') },
  { url: 'https://js.thirdparty.example/async.js', response: ofScript('Async') },
  { url: 'https://js.stripe.com/:release/stripe.js', response: ofScript('Stripe') },
  {
    ...{ method: 'POST', url: 'https://api.thirdparty.example/v1/tokens' },
    when: { body: { 'card[number]': '4242', key: 'pk_1' }, cookies: { device: { $exists: false } } },
    response: {
      headers: { 'request-id': 'req_1', 'set-cookie': 'device=7; Secure; HttpOnly; SameSite=None' },
      body: { id: 'tok_1' },
    },
  },
  {
    ...{ method: 'POST', url: 'https://api.thirdparty.example/v1/tokens' },
    when: { body: { 'card[number]': '4242', key: 'pk_1' }, cookies: { device: '7' } },
    response: { status: 402, headers: { 'request-id': 'req_2' }, body: { error: { code: 'card_declined' } } },
  },
  {
    ...{ method: 'POST', url: 'https://api.thirdparty.example/v1/tokens' },
    when: { body: { key: 'pk_live_1' } },
    response: { status: 201, headers: { 'request-id': 'req_3' }, body: { id: 'tok_3' } },
  },
  {
    url: `${supabase}/rest/v1/todos`,
    when: { query: { select: 'id,title', done: 'eq.false' }, headers: { apikey: 'anon' } },
    response: { headers: { 'content-range': '0-1/12' }, body: todos },
  },
  {
    url: `${supabase}/rest/v1/todos`,
    when: { headers: { accept: { $regex: 'pgrst.object' }, authorization: 'Bearer of-ada' } },
    response: { body: { id: 3, title: "Ada's" } },
  },
  {
    ...{ method: 'POST', url: `${supabase}/rest/v1/todos` },
    when: { headers: { prefer: { $regex: 'return=representation' } } },
    response: { status: 201, body: [{ id: 3, title: { $from: 'body.title' } }] },
  },
  {
    ...{ method: 'POST', url: `${supabase}/rest/v1/todos` },
    when: { body: { id: 1 } },
    response: {
      status: 409,
      body: { code: '23505', message: 'duplicate key', details: 'Key (id)=(1) already exists.', hint: null },
    },
  },
  {
    ...{ method: 'POST', url: `${supabase}/auth/v1/token` },
    when: { query: { grant_type: 'password' }, body: { email: 'ada@example.com', password: 'right' } },
    response: { body: { ...session, user: { id: 'u1', email: 'ada@example.com' } } },
  },
  {
    ...{ method: 'POST', url: `${supabase}/auth/v1/token` },
    when: { query: { grant_type: 'password' } },
    response: { status: 400, body: { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login' } },
  },
]
const project = createTestProject({
  'index.html': `<!doctype html><html><head><title>a shop</title>
<script src="https://js.thirdparty.example/v3/"></script>
<script defer src="https://js.thirdparty.example/deferred.js"></script>
<script async src="https://js.thirdparty.example/async.js"></script></head>
<body><script>globalThis.isLoadedInTime = typeof ThirdParty === 'function'</script>
<script type="module" src="/main.js"></script></body></html>`,
  'main.js': `import { loadStripe } from '@stripe/stripe-js'
import { createClient } from '@supabase/supabase-js'
Object.assign(globalThis, { loadStripe, supabase: createClient('${supabase}', 'anon') })
`,
  'fixtures/third-parties.json': JSON.stringify(routes),
})

let running: RunningHost
let page: Page
beforeAll(async () => {
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', project.root]
  const packages = ['@stripe/stripe-js', '@supabase/supabase-js@2']
  execFileSync('npm', ['install', ...flags, ...packages], { stdio: 'ignore' })
  running = await vite!.start(project)
  page = await (await browser().newContext()).newPage()
  // The browser reads ahead in the markup, and would ask the real third parties: nothing may leave this machine.
  await page.route(
    ({ origin }) => origin !== running.origin,
    (route) => route.fulfill({ contentType: 'text/javascript', body: 'globalThis.isReal = true' }),
  )
  await page.goto(running.origin)
  await page.waitForFunction('globalThis.supabase')
}, 300_000)
afterAll(async () => {
  await running.close()
  project.close()
})

describe('a script of a third party', () => {
  it('of the markup has run before what follows it', async () => {
    expect(await page.evaluate('[isLoadedInTime, ThirdParty.src]')).toEqual([
      true,
      'https://js.thirdparty.example/v3/',
    ])
    const ask = () => page.evaluate("ThirdParty('pk_1').createToken()")
    expect(await ask()).toEqual({ status: 200, id: 'req_1', body: { id: 'tok_1' } })
    const declined = { error: { code: 'card_declined' } }
    expect(await ask()).toEqual({ status: 402, id: 'req_2', body: declined })
  })

  it.each(['Deferred', 'Async'])('of the markup that does not block: %s', async (name) => {
    await page.waitForFunction(`typeof ${name} === 'function'`)
    expect(await page.evaluate(`${name}.src`)).toBe(`https://js.thirdparty.example/${name.toLowerCase()}.js`)
  })

  it('that @stripe/stripe-js loads', async () => {
    const answer = await page.evaluate("loadStripe('pk_live_1').then((stripe) => stripe.createToken())")
    expect(answer).toEqual({ status: 201, id: 'req_3', body: { id: 'tok_3' } })
  })
})

describe('@supabase/supabase-js', () => {
  const cases: [what: string, call: string, answer: object][] = [
    ['select', `from('todos').select('id,title', { count: 'exact' }).eq('done', false)`, { status: 200, error: null, count: 12, data: todos }],
    ['insert', `from('todos').insert({ title: 'New' }).select()`, { status: 201, error: null, data: [{ id: 3, title: 'New' }] }],
    ['an error', `from('todos').insert({ id: 1 })`, { status: 409, data: null, error: { code: '23505', message: 'duplicate key', details: 'Key (id)=(1) already exists.', hint: null } }],
    ['a wrong password', `auth.signInWithPassword({ email: 'ada@example.com', password: 'wrong' })`, { data: { user: null, session: null }, error: { status: 400, code: 'invalid_credentials' } }],
    ['a password', `auth.signInWithPassword({ email: 'ada@example.com', password: 'right' })`, { error: null, data: { user: { id: 'u1' }, session: { access_token: 'of-ada' } } }],
    ['select, with the session', `from('todos').select().single()`, { status: 200, error: null, data: { id: 3, title: "Ada's" } }],
  ] // prettier-ignore
  it.each(cases)('%s', async (_, call, answer) => {
    const given = await page.evaluate(`(async () => {
      const { error, ...rest } = await supabase.${call}
      return { ...rest, error: error && { ...error, message: error.message } }
    })()`)
    expect(given).toMatchObject(answer)
  })
})

it('no script of the real third parties has run', async () => {
  expect(await page.evaluate("'isReal' in globalThis")).toBe(false)
})
