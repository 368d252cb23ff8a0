import { clientOf, readScenarioNames } from '../core/http/whose-state.ts'
import { reasonOf } from '../core/values/thrown.ts'
import type { FetchHandler } from '../server/web/fetch-handler.ts'

/* Called by the worker of bundle-fixtures.ts, whose clients keep their state in Durable Objects. */

/** The used part of Cloudflare's types: https://developers.cloudflare.com/durable-objects/api/state/ */
interface DurableObjectState {
  storage: {
    get: (keys: string[]) => Promise<Map<string, unknown>>
    put: (entries: Record<string, unknown>) => Promise<void>
  }
  blockConcurrencyWhile: (work: () => Promise<void>) => Promise<void>
}

/** Says that no route has the request. */
const passed = 'x-mock-passed'

/** One stored value has at most 2 MB, and one call 128 of them. */
const chunkSize = 500_000
const chunkKeys = Array.from({ length: 128 }, (_, index) => `state ${index}`)

/** A Durable Object with the state of one client. It ends at any time, and an answer waits until its change is stored. */
export function stateClass(create: () => FetchHandler) {
  return class MockApiState {
    readonly handler = create()
    readonly storage: DurableObjectState['storage']
    storing: Promise<void> | undefined

    chunks = chunkKeys.length

    constructor(state: DurableObjectState) {
      const { storage } = state
      this.storage = storage
      this.handler.onChange(() => void this.storeSoon()) // also by an open stream, long after its request
      void state.blockConcurrencyWhile(async () => {
        const chunks = await storage.get(chunkKeys)
        const text = chunkKeys.map((key) => chunks.get(key) ?? '').join('')
        if (text !== '') this.handler.restore(JSON.parse(text) as never)
      })
    }

    async fetch(request: Request): Promise<Response> {
      const answer = await answerOrSwitch(this.handler, request)
      await this.storeSoon()
      return answer ?? new Response(null, { headers: { [passed]: '1' } })
    }

    /** Changes of the same moment are stored together. */
    storeSoon(): Promise<void> {
      return (this.storing ??= Promise.resolve().then(() => this.store()))
    }

    async store(): Promise<void> {
      this.storing = undefined
      const saved = this.handler.save()
      if (!saved) return
      const text = JSON.stringify(saved)
      const chunk = (index: number) => text.slice(index * chunkSize, (index + 1) * chunkSize)
      const count = Math.ceil(text.length / chunkSize)
      const keys = chunkKeys.slice(0, Math.max(count, this.chunks))
      this.chunks = count
      await this.storage.put(Object.fromEntries(keys.map((key, index) => [key, chunk(index)])))
    }
  }
}

interface DurableObjectNamespace {
  idFromName: (name: string) => unknown
  get: (id: unknown) => { fetch: (request: Request) => Promise<Response> }
}

let hasTold = false

/** Asks the Durable Object of the client; without one, what changes is known to this instance alone. */
export async function answerByClient(
  handler: FetchHandler,
  request: Request,
  states: DurableObjectNamespace | undefined,
): Promise<Response | undefined> {
  if (!states) {
    if (!hasTold)
      console.info(
        '[mock-api] Without the binding MOCK_API_STATE, each instance has its own state of collections, scenarios and sequences.',
      )
    hasTold = true
    return answerOrSwitch(handler, request)
  }
  const id = states.idFromName(`client ${clientOf(Object.fromEntries(request.headers))}`)
  const answer = await states.get(id).fetch(request.clone())
  return answer.headers.has(passed) ? undefined : answer
}

/** The requests of the control API that a worker has. No page of another site can send their header. */
async function answerOrSwitch(handler: FetchHandler, request: Request): Promise<Response | undefined> {
  const name = `${request.method} ${new URL(request.url).pathname}`
  const isReset = name === 'POST /__mock-api/api/reset'
  const isScenario = name === 'PUT /__mock-api/api/scenario'
  const isPush = name === 'POST /__mock-api/api/push'
  if ((!isReset && !isScenario && !isPush) || !request.headers.has('x-mock-api')) return handler(request)
  const client = clientOf(Object.fromEntries(request.headers))
  const who = client === '' ? {} : { client }
  if (isReset) handler.reset(who)
  else {
    try {
      const body = (await request.json()) as Record<'channel' | 'event', string> & {
        data: unknown
        scenario: string | string[]
      }
      const { channel, data, event, scenario } = body
      if (isPush && typeof channel !== 'string') throw new TypeError('A push needs a "channel".')
      if (isPush) return Response.json({ streams: handler.push(channel, data, { ...who, event }) })
      handler.setScenario(typeof scenario === 'string' ? readScenarioNames(scenario) : scenario, who)
    } catch (error) {
      const { code = 'api-body-invalid' } = error as { code?: string }
      return Response.json({ error: { code, message: reasonOf(error) } }, { status: 400 })
    }
  }
  return new Response(null, { status: 204 })
}
