/* What answers without a bundler: the middleware, the fetch handler, the loaded list, handlers of MSW, the service worker. */
import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import connect, { type NextHandleFunction } from 'connect'
import express from 'express'
import type { RequestHandler, WebSocketHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import { setupServer } from 'msw/node'
import { createMiddleware } from 'unplugin-mock-api/connect'
import { createFetchHandler, type RequestSender } from 'unplugin-mock-api/fetch'
import { defineFixture, type Fixture } from 'unplugin-mock-api/fixture'
import { loadRoutes, type LoadedRoutes } from 'unplugin-mock-api/load'
import { toHandlers } from 'unplugin-mock-api/msw'
import { answerFetchEvents } from 'unplugin-mock-api/service-worker'
import { handler as handlerOfModule, routes as routesOfModule } from 'virtual:mock-api'
import { expectTypeOf } from 'vitest'

const routes = defineFixture([{ path: '/a', response: { body: 1 } }])

const middleware = createMiddleware({ cors: true, allowedHosts: ['dev.test'], fixtures: 'mocks' })
expectTypeOf(middleware).toExtend<NextHandleFunction>()
expectTypeOf(middleware.ready).toEqualTypeOf<Promise<void>>()
expectTypeOf(middleware.close).returns.toEqualTypeOf<Promise<void>>()
connect().use(middleware)
express().use(middleware)
createServer(middleware)
createHttp2Server(middleware)
// @ts-expect-error -- an unknown option
createMiddleware({ fixture: 'mocks' })
// @ts-expect-error -- a middleware builds nothing
createMiddleware({ build: 'service-worker' })
// @ts-expect-error -- a list of names
createMiddleware({ allowedHosts: 1 })

const handler = createFetchHandler(routes, { base: '/api', unmatched: 'passthrough' })
expectTypeOf(handler).parameters.toEqualTypeOf<[request: Request, sender?: RequestSender | undefined]>()
expectTypeOf(handler).returns.toEqualTypeOf<Promise<Response | undefined>>()
expectTypeOf(handlerOfModule).toEqualTypeOf(handler)
handler.setScenario('a')
handler.setScenario(['a', 'b'], { client: 'test-1' })
handler.reset({ client: 'test-1' })
// @ts-expect-error -- a request, not a URL
void handler('http://localhost/a')
// @ts-expect-error -- the name of a scenario
handler.setScenario(1)
// @ts-expect-error -- an unknown key
handler.reset({ clint: 'test-1' })
// @ts-expect-error -- it reads no files
createFetchHandler(routes, { fixtures: 'mocks' })
// @ts-expect-error -- a list of routes
createFetchHandler({ path: '/a' })
// @ts-expect-error -- it is not loaded yet
createFetchHandler(loadRoutes())

const loaded = await loadRoutes(['fixtures', 'templates'], { watch: true, root: '.' })
expectTypeOf(loaded).toEqualTypeOf<LoadedRoutes>()
expectTypeOf(loaded).toExtend<Fixture>()
expectTypeOf(loaded.close()).toEqualTypeOf<Promise<void>>()
createFetchHandler(loaded)
// @ts-expect-error -- true or false
void loadRoutes('fixtures', { watch: 'yes' })
// @ts-expect-error -- an option of servers
void loadRoutes('fixtures', { base: '/api' })
// @ts-expect-error -- a folder, or a list of them
void loadRoutes(1)

const handlers = toHandlers(loaded, { allowedHosts: ['api.example.com'] })
expectTypeOf(handlers).toExtend<(RequestHandler | WebSocketHandler)[]>()
setupServer(...handlers).listen()
void setupWorker(...handlers, ...toHandlers(routesOfModule)).start()
handlers.setScenario(['a'])
handlers.reset()
// @ts-expect-error -- an unknown option
toHandlers(loaded, { fixture: 'mocks' })

expectTypeOf(routesOfModule).toEqualTypeOf<Fixture>()
// @ts-expect-error -- a list has no path
void routesOfModule.path
expectTypeOf(answerFetchEvents(routesOfModule)).toBeVoid()
// @ts-expect-error -- an unknown option
answerFetchEvents(routesOfModule, { fixtures: 'mocks' })

import.meta.hot?.on('mock-api:reload', (event) => {
  expectTypeOf(event).toEqualTypeOf<{ routeCount: number; errors: number }>()
})
// @ts-expect-error -- a number has no length
import.meta.hot?.on('mock-api:reload', ({ errors }) => errors.length)
