/** json-server pages lists by `_page` and sends no envelope: both are adapted to the starter template. */
import jsonServer from 'json-server'
import { itemsPage, mainScript } from '../lib/answers.mjs'

const app = jsonServer.create()
const router = jsonServer.router({ items: [1, 2, 3].flatMap((page) => itemsPage(page).data) })
router.render = (req, res) => {
  const page = Number(/[?&]_page=(\d+)/.exec(req.originalUrl)?.[1] ?? 1)
  const total = Number(res.getHeader('X-Total-Count'))
  const total_pages = Math.ceil(total / 3)
  res.jsonp({ page, per_page: 3, total, total_pages, has_more: page < total_pages, data: res.locals.data })
}
app.use(jsonServer.rewriter({ '/items?page=:page': '/items?_page=:page&_limit=3' }))
const body = Buffer.from(mainScript)
app.use((req, res, next) => (req.url.startsWith('/items') ? router(req, res, next) : next()))
app.use((_req, res) => {
  res.writeHead(200, ['content-type', 'text/javascript', 'content-length', String(body.length)])
  res.end(body)
})
app.listen(Number(process.env.PORT), '127.0.0.1')
