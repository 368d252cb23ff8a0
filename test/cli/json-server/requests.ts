/* 300 requests for json-server 0.17.4 and for `serve db.json`, in the order in which they are sent. */

export const database = {
  posts: Array.from({ length: 24 }, (_, index) => ({
    id: index + 1,
    title: `${['Amber', 'Bold', 'Calm', 'Deep'][index % 4]} ${24 - index}`,
    views: (index * 37) % 100,
    author: ['ada', 'bob', 'cem'][index % 3],
    authorId: (index % 3) + 1,
    published: index % 2 === 0,
    meta: { lang: index % 5 === 0 ? 'de' : 'en', score: index / 2 },
    tags: index % 4 === 0 ? ['new', 'hot'] : [],
  })),
  comments: Array.from({ length: 30 }, (_, index) => ({
    id: index + 1,
    postId: (index % 10) + 1,
    text: `Comment ${index + 1} says ${index % 2 === 0 ? 'yes' : 'no'}`,
  })),
  authors: [
    { id: 1, name: 'Ada', age: 36 },
    { id: 2, name: 'Bob', age: null },
    { id: 3, name: 'Cem' },
  ],
  labels: [
    { id: 'red', weight: '10' },
    { id: 'blue', weight: '9' },
  ],
  empty: [],
  profile: { name: 'Ada', theme: 'dark' },
}

export interface Sent {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

const get = (...paths: string[]): Sent[] => paths.map((path) => ({ method: 'GET', path }))
const send = (method: string, path: string, body?: unknown): Sent => ({ method, path, body })

const fields = ['id', 'title', 'views', 'author', 'published', 'meta.lang', 'meta.score']
const values: Record<string, string[]> = {
  id: ['1', '7', '24', '99'],
  title: ['Amber 24', 'Bold 23', 'none'],
  views: ['0', '37', '99', 'x'],
  author: ['ada', 'bob', 'Ada'],
  published: ['true', 'false'],
  'meta.lang': ['de', 'en', 'fr'],
  'meta.score': ['0', '0.5', '11.5'],
}
const query = (pairs: [string, string][]) => new URLSearchParams(pairs).toString()

const reads: Sent[] = [
  ...get('/posts', '/comments', '/authors', '/labels', '/empty', '/profile'),
  ...get('/posts/1', '/posts/24', '/authors/2', '/labels/red', '/comments/30'),
  ...get('/posts/99', '/labels/none', '/posts/x', '/posts/1.0', '/posts/01'),
  ...get('/db', '/none', '/none/1'),
  ...fields.flatMap((field) => get(...values[field]!.map((value) => `/posts?${query([[field, value]])}`))),
  ...get('/posts?id=1&id=2&id=99', '/posts?author=ada&published=true', '/posts?author=ada&author=bob&views=37'),
  ...get('/posts?none=1', '/posts?t=1700000000&author=ada', '/posts?meta.none=1', '/authors?age=36', '/labels?weight=10'),
  ...['views', 'meta.score', 'id'].flatMap((field) =>
    ['_gte', '_lte', '_ne'].flatMap((operator) => get(...['5', '37', '0'].map((value) => `/posts?${field}${operator}=${value}`))),
  ),
  ...get('/posts?views_gte=10&views_lte=50', '/posts?title_gte=C', '/posts?title_lte=Bold', '/authors?age_gte=1', '/authors?age_ne=36'),
  ...get('/posts?author_ne=ada', '/posts?author_ne=ada&author_ne=bob', '/posts?published_ne=true'),
  ...get('/posts?title_like=amb', '/posts?title_like=AMBER', '/posts?title_like=2', '/posts?meta.lang_like=d', '/comments?text_like=yes'),
  ...get('/posts?title_like=%5EAmber', '/posts?title_like=A.*r', '/posts?title_like=(', '/posts?author_like=a&author_like=b'),
  ...get('/posts?q=amber', '/posts?q=AMBER', '/posts?q=37', '/posts?q=none', '/posts?q=', '/posts?q=hot', '/posts?q=de', '/posts?q=true'),
  ...get('/comments?q=yes&postId=1', '/authors?q=ada', '/comments?q=says&_sort=postId,id&_order=desc,asc'),
  ...fields.flatMap((field) => get(`/posts?_sort=${field}`, `/posts?_sort=${field}&_order=desc`)),
  ...get('/posts?_sort=author,views', '/posts?_sort=author,views&_order=desc,asc', '/posts?_sort=author,views&_order=asc,desc'),
  ...get('/posts?_sort=none', '/posts?_order=desc', '/authors?_sort=age', '/authors?_sort=age&_order=desc', '/labels?_sort=weight', '/posts?_sort=-views'),
  ...get('/posts?_start=0&_end=5', '/posts?_start=20&_end=30', '/posts?_start=5&_limit=3', '/posts?_limit=4', '/posts?_limit=0', '/posts?_end=3'),
  ...get('/posts?_start=3', '/posts?_start=30&_end=40', '/posts?_limit=x', '/posts?_start=-1&_limit=2', '/posts?_limit=100', '/posts?_limit=-1'),
  ...get('/posts?_page=1', '/posts?_page=2', '/posts?_page=3', '/posts?_page=9', '/posts?_page=0', '/posts?_page=x', '/posts?_page=-1', '/posts?_page='),
  ...get('/posts?_page=1&_limit=5', '/posts?_page=5&_limit=5', '/posts?_page=2&_limit=5', '/posts?_page=1&_limit=100', '/posts?_page=1&_limit=0', '/posts?_page=1&_limit=x'),
  ...get('/posts?author=ada&_page=1&_limit=3', '/posts?author=ada&_sort=views&_order=desc&_page=2&_limit=3', '/posts?q=amber&_limit=2', '/posts?views_gte=50&_start=2&_end=4', '/empty?_page=1'),
  ...get('/posts?_embed=comments', '/posts/1?_embed=comments', '/posts/20?_embed=comments', '/authors?_embed=posts', '/authors/1?_embed=posts&_embed=comments'),
  ...get('/comments?_expand=post', '/comments/1?_expand=post', '/posts?_expand=author', '/posts/1?_expand=author&_embed=comments', '/posts?_expand=none', '/posts?_embed=none', '/posts/1?_embed=none'),
  ...get('/posts?_embed=comments&_page=1&_limit=2', '/posts?_expand=author&_sort=views', '/posts?author=bob&_embed=comments&_limit=1'),
  ...get('/posts/1/comments', '/posts/10/comments', '/posts/20/comments', '/posts/99/comments', '/authors/1/posts', '/authors/1/posts?_sort=views', '/authors/1/posts?published=true', '/posts/1/comments?_page=1&_limit=1', '/posts/1/comments/1', '/posts/1/none'),
] // prettier-ignore

const writes: Sent[] = [
  send('POST', '/posts', { title: 'New', views: 5 }), ...get('/posts/25', '/posts?title=New', '/posts?_sort=id&_order=desc&_limit=1'),
  send('POST', '/posts', { id: 40, title: 'Own id' }), send('POST', '/posts', { title: 'After' }), ...get('/posts/40', '/posts/41'),
  send('POST', '/posts', { id: 40, title: 'Taken' }), send('POST', '/posts', {}), send('POST', '/posts', 'text'), send('POST', '/posts', null),
  send('POST', '/empty', { a: 1 }), send('POST', '/empty', { a: 2 }), ...get('/empty', '/empty/1'),
  send('POST', '/labels', { id: 'green', weight: '1' }), ...get('/labels/green', '/labels'), send('POST', '/labels', { id: 'green' }),
  send('POST', '/posts/1/comments', { text: 'Nested' }), ...get('/posts/1/comments', '/comments?_sort=id&_order=desc&_limit=1'),
  send('POST', '/none', { a: 1 }),
  send('PUT', '/posts/2', { title: 'Replaced' }), ...get('/posts/2'), send('PUT', '/posts/2', { id: 77, title: 'Other id' }), ...get('/posts/2', '/posts/77'),
  send('PUT', '/posts/99', { title: 'None' }), send('PUT', '/posts/2', {}), send('PUT', '/posts', { a: 1 }),
  send('PATCH', '/posts/3', { views: 1000 }), ...get('/posts/3', '/posts?views_gte=1000'), send('PATCH', '/posts/3', { id: 88 }), ...get('/posts/3', '/posts/88'),
  send('PATCH', '/posts/3', { meta: { lang: 'fr' } }), ...get('/posts/3'), send('PATCH', '/posts/3', { title: null }), ...get('/posts/3', '/posts?title_like=null'),
  send('PATCH', '/posts/99', { a: 1 }), send('PATCH', '/posts/3', {}), send('PATCH', '/posts', { a: 1 }), send('PATCH', '/labels/red', { weight: '20' }), ...get('/labels/red'),
  send('DELETE', '/posts/41'), send('POST', '/posts', { title: 'After the highest' }), ...get('/posts?_sort=id&_order=desc&_limit=2'),
  send('POST', '/posts', { id: '50', title: 'Text' }), ...get('/posts/50'),
  send('PUT', '/profile', { name: 'Bob' }), ...get('/profile'), send('PATCH', '/profile', { theme: 'light' }), ...get('/profile'), send('POST', '/profile', { a: 1 }), ...get('/profile'),
  send('HEAD', '/posts'), send('HEAD', '/posts/5'), send('HEAD', '/posts/99'), send('HEAD', '/posts?_page=1&_limit=2'), send('OPTIONS', '/posts'),
  ...get('/posts', '/comments?postId_ne=1', '/labels', '/authors'),
  ...Array.from({ length: 8 }, (_, index) => send('POST', '/comments', { postId: 5, text: `More ${index}` })),
  ...Array.from({ length: 8 }, (_, index) => send('PATCH', `/comments/${index + 2}`, { text: `Changed ${index}`, read: index % 2 === 0 })),
  ...get('/comments?postId=5', '/comments?read=true', '/comments?read=true&_sort=text&_order=desc', '/comments?q=more&_page=2&_limit=3'),
  ...Array.from({ length: 6 }, (_, index) => send('DELETE', `/comments/${index + 12}`)),
  ...get('/comments?postId_ne=1', '/comments?id_gte=10&id_lte=20', '/posts/5?_embed=comments', '/comments?_expand=post&postId=5'),
  send('DELETE', '/posts/4'), ...get('/posts/4', '/posts?id=4', '/posts?_limit=3'), send('DELETE', '/posts/4'), send('DELETE', '/posts/99'), send('DELETE', '/posts'),
  send('DELETE', '/posts/1'), ...get('/posts/1', '/comments?postId=1', '/posts/1/comments'), send('DELETE', '/labels/blue'), ...get('/labels'),
  // From here on, json-server makes ids at random.
  send('POST', '/posts', {}), send('POST', '/posts'), send('POST', '/posts', []), send('PUT', '/posts/5'), send('PATCH', '/posts/6'), send('PUT', '/posts/5', []),
] // prettier-ignore

export const requests: Sent[] = [...reads, ...writes]
