/** Mocks that are Express middleware, each in an Express app: `mocker-api` or `msw`. */
import mswHttp from '@mswjs/http-middleware'
import express from 'express'
import mockerApi from 'mocker-api'
import { graphql, http, HttpResponse } from 'msw'
import { failing, hero, itemsPage, mainScript } from '../lib/answers.mjs'

const app = express().disable('x-powered-by').disable('etag')

const add = {
  'mocker-api'() {
    mockerApi(app, {
      'GET /items': (req, res) => res.json(itemsPage(Number(req.query.page ?? 1))),
      'POST /graphql': (req, res) => res.json(req.body.operationName === 'FailingQuery' ? failing : hero),
    })
  },
  msw() {
    const handlers = [
      http.get('*/items', ({ request }) => {
        const page = new URL(request.url).searchParams.get('page')
        return HttpResponse.json(itemsPage(Number(page ?? 1)))
      }),
      graphql.query('FailingQuery', () => HttpResponse.json(failing)),
      graphql.operation(() => HttpResponse.json(hero)),
    ]
    app.use(mswHttp.createMiddleware(...handlers))
  },
}
add[process.argv[2]]()

const body = Buffer.from(mainScript)
app.use((_req, res) => {
  res.writeHead(200, ['content-type', 'text/javascript', 'content-length', String(body.length)])
  res.end(body)
})
app.listen(Number(process.env.PORT), '127.0.0.1')
