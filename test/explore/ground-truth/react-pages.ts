import { orders, report, shop, user, type TruthPage } from './page.ts'

/* React with TanStack Query and error boundaries, and Apollo Client with `errorPolicy: all`. */

const start = `
const { createElement: h, useState, useEffect, Suspense, Component } = React
const get = (path) => async () => { const r = await fetch(path); if (!r.ok) throw new Error('HTTP ' + r.status); return r.json() }
const client = (queries) => new QueryClient({ defaultOptions: { queries: { retry: false, ...queries } } })
const mount = (App, queries) => createRoot(document.getElementById('root')).render(h(QueryClientProvider, { client: client(queries) }, h(App)))
class Boundary extends Component {
  state = {}
  static getDerivedStateFromError(error) { return { error } }
  render() { return this.state.error ? h('section', null, h('h2', null, this.props.text)) : this.props.children }
}
const Page = ({ children }) => h('main', null, h('h1', null, 'Your orders'), h('p', null, 'All that you have bought in the last year.'), children)
`
const root = '<div id="root"></div>'

const apollo = `
const { createElement: h } = React
const query = gql\`query Shop { viewer { name email } orders { id title } }\`
const client = new ApolloClient({ link: new HttpLink({ uri: '/graphql' }), cache: new InMemoryCache() })
const mount = (App) => createRoot(document.getElementById('root')).render(h(ApolloProvider, { client }, h('h1', null, 'The shop of fruit'), h(App)))
`

export const reactPages: TruthPage[] = [
  {
    name: 'TanStack Query as in its documentation',
    uses: 'react',
    body: root,
    script: `${start}
const App = () => {
  const { data, isPending, isError, refetch } = useQuery({ queryKey: ['orders'], queryFn: get('/orders') })
  if (isPending) return h(Page, null, h('p', null, 'Loading…'))
  if (isError) return h(Page, null, h('div', { role: 'alert' }, 'Could not load the orders.'), h('button', { onClick: refetch }, 'Retry'))
  if (data.length === 0) return h(Page, null, h('p', null, 'No orders yet'))
  return h(Page, null, h('ul', null, data.map((o) => h('li', { key: o.id }, o.title.toUpperCase()))))
}
mount(App)`,
    labels: {
      handled: orders(
        'status 500, status 401, status 422, body malformed, body none, list empty, list one, connection reset, null [].price last, slow late',
      ),
      crashed: orders('null [].title last, missing [].title last, null [] last'),
      stuck: orders('connection silent'),
    },
  },
  {
    name: 'skeletons of Tailwind, and no error state',
    uses: 'react',
    body: root,
    style: '.animate-pulse { background: #ddd; height: 1rem; margin: 4px }',
    script: `${start}
const App = () => {
  const { data } = useQuery({ queryKey: ['orders'], queryFn: get('/orders') })
  if (!data) return h(Page, null, [1, 2, 3].map((n) => h('div', { key: n, className: 'animate-pulse' })))
  return h(Page, null, data.length ? h('ul', null, data.map((o) => h('li', { key: o.id }, o.title))) : h('p', null, 'Nothing here'))
}
mount(App)`,
    labels: {
      stuck: orders('status 500, status 404, body malformed, connection reset'),
      handled: orders('list empty, null [].title last, null [].internalId last'),
    },
  },
  {
    name: 'an error boundary',
    uses: 'react',
    body: root,
    script: `${start}
const Orders = () => {
  const { data } = useQuery({ queryKey: ['orders'], queryFn: get('/orders') })
  return data ? h('ul', null, data.map((o) => h('li', { key: o.id }, o.title.trim()))) : h('p', { 'aria-busy': true }, 'Orders')
}
mount(() => h(Page, null, h(Boundary, { text: 'Something went wrong' }, h(Orders))), { throwOnError: true })`,
    labels: {
      handled: orders(
        'status 500, status 403, body html, connection reset, null [].title last, missing [].title last, list one',
      ),
    },
  },
  {
    name: 'it tries twice more',
    uses: 'react',
    body: root,
    script: `${start}
const App = () => {
  const { data, isError, failureCount } = useQuery({ queryKey: ['orders'], queryFn: get('/orders'), retry: 2, retryDelay: 400 })
  if (isError) return h(Page, null, h('p', null, 'Orders are unavailable.'))
  if (!data) return h(Page, null, h('p', null, failureCount ? 'Trying again…' : 'Getting your orders'))
  return h(Page, null, data.length ? h('ul', null, data.map((o) => h('li', { key: o.id }, o.title ?? 'no title'))) : null)
}
mount(App)`,
    labels: {
      handled: orders(
        'status 500, status 503, body malformed, connection reset, null [].title last, list one',
      ),
    },
  },
  {
    name: 'data of a default',
    uses: 'react',
    body: root,
    script: `${start}
const App = () => {
  const { data = [] } = useQuery({ queryKey: ['orders'], queryFn: get('/orders') })
  return h(Page, null, data.length ? h('ul', null, data.map((o) => h('li', { key: o.id }, o.title, ' costs ', String(o.price)))) : h('p', null, 'No orders yet'))
}
mount(App)`,
    labels: {
      silent: orders(
        'status 500, status 401, body malformed, connection reset, null [].price last, missing [].price last',
      ),
      handled: orders('list empty, list one, null [].title last'),
    },
  },
  {
    name: 'suspense, in German',
    uses: 'react',
    body: root,
    script: `${start}
const Report = () => {
  const { data } = useSuspenseQuery({ queryKey: ['report'], queryFn: get('/report') })
  return h('article', null, h('h2', null, data.title), h('p', null, data.author ? 'Von ' + data.author.name : 'Ohne Verfasser'))
}
mount(() => h('main', null, h('h1', null, 'Der Bericht'), h(Boundary, { text: 'Das hat nicht geklappt' }, h(Suspense, { fallback: h('p', null, 'Einen Moment bitte') }, h(Report)))))`,
    labels: {
      handled: report(
        'status 500, status 401, body malformed, connection reset, null author, null title, null total, slow late',
      ),
      silent: report('null author.name, missing author.name'),
      stuck: report('connection silent'),
    },
  },
  {
    name: 'two requests, one with a stand-in',
    uses: 'react',
    body: root,
    script: `${start}
const Hello = () => { const { data, isPending } = useQuery({ queryKey: ['user'], queryFn: get('/user') }); return h('p', null, isPending ? '' : 'Hello, ' + (data?.name ?? 'stranger')) }
const Orders = () => {
  const { data, error } = useQuery({ queryKey: ['orders'], queryFn: get('/orders') })
  if (error) return h('p', { className: 'error' }, error.message)
  return h('ul', null, data?.map((o) => h('li', { key: o.id }, o.title)))
}
mount(() => h(Page, null, h(Hello), h(Orders)))`,
    labels: {
      silent: user('status 500, status 401, body malformed'),
      handled: [
        ...user('null name, missing name, null email'),
        ...orders('status 500, status 401, body malformed, connection reset'),
      ],
    },
  },
  {
    name: 'it asks again as long as it fails',
    uses: 'react',
    body: root,
    script: `${start}
const App = () => {
  const { data, isError } = useQuery({ queryKey: ['orders'], queryFn: get('/orders'), refetchInterval: (q) => q.state.status === 'error' ? 20 : false })
  return h(Page, null, isError ? h('p', null, 'Offline') : h('ul', null, data?.map((o) => h('li', { key: o.id }, o.title))))
}
mount(App)`,
    labels: { looping: orders('status 500, status 401, body malformed') },
  },
  {
    name: 'an update before the answer, and an aria-live region',
    uses: 'react',
    body: root,
    script: `${start}
const App = () => {
  const [state, set] = useState({ name: 'Your name', say: '' })
  useEffect(() => { get('/user')().then(({ name }) => set({ name, say: '' }), () => { set({ name: 'Your name', say: 'Your account did not answer' }); setTimeout(() => set({ name: 'Your name', say: '' }), 600) }) }, [])
  return h(Page, null, h('p', null, state.name), h('div', { 'aria-live': 'polite' }, state.say))
}
mount(App)`,
    labels: { handled: user('status 500, body malformed, connection reset, null email') },
  },
  {
    name: 'Apollo, errorPolicy all, every state',
    uses: 'apollo',
    body: root,
    script: `${apollo}
mount(() => {
  const { data, loading, error } = useQuery(query, { errorPolicy: 'all' })
  if (loading) return h('p', null, 'Loading…')
  return h('div', null, error && h('p', { role: 'alert' }, 'Some of it is missing: ' + error.message), h('p', null, data?.viewer?.name ?? 'nobody'),
    h('ul', null, data?.orders?.map((o, i) => h('li', { key: i }, o?.title ?? 'sold out'))))
})`,
    labels: {
      handled: shop(
        'status 500, error data, error UNAUTHENTICATED, error request, null viewer, missing viewer, null orders, body malformed, list empty orders, list one orders, connection reset',
      ),
    },
  },
  {
    name: 'Apollo, which forgets the error',
    uses: 'apollo',
    body: root,
    script: `${apollo}
mount(() => {
  const { data, loading } = useQuery(query, { errorPolicy: 'all' })
  if (loading) return h('p', null, 'Wait a second')
  const list = data?.orders ?? []
  return h('div', null, h('p', null, 'We sell fruit since 1950, and deliver it to your door.'), list.length ? h('ul', null, list.map((o) => h('li', { key: o.id }, o.title))) : h('p', null, 'Nothing is on sale'))
})`,
    labels: {
      silent: shop('status 500, error data, error FORBIDDEN, body malformed'),
      handled: shop('list empty orders, null viewer, missing viewer.email'),
    },
  },
  {
    name: 'Apollo, which waits for data',
    uses: 'apollo',
    body: root,
    script: `${apollo}
mount(() => {
  const { data } = useQuery(query, { errorPolicy: 'all' })
  if (!data) return h('p', null, 'The shop is opening')
  return h('div', null, h('p', null, 'For ' + data.viewer.name), h('ul', null, data.orders.map((o) => h('li', { key: o.id }, o.title))))
})`,
    labels: {
      stuck: shop('status 500, error data, error request, connection reset'),
      crashed: shop('null viewer, missing viewer, null orders, missing orders'),
      handled: shop('missing viewer.email'),
    },
  },
]
