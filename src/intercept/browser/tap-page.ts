import { inProcess } from '../../wire/in-process.ts'

/** How the requests of a page are told apart. */
export interface Mark {
  /** Added to requests to the page's own server. Other origins would refuse them. */
  headers: Readonly<Record<string, string>>
  /** Answers in the page; `undefined` leaves the request to the network. */
  answer?: ((request: Request) => Promise<Response | undefined>) | undefined
  /** Called when a request begins; what it returns, when its answer has arrived. */
  begin?: () => () => void
}

type Open = (this: XMLHttpRequest, ...parameters: unknown[]) => void

/** Vite serves a setup file and the import of a test as two modules: each replaces what the page had at first. */
export function originals() {
  return inProcess('originals', () => ({
    fetch: globalThis.fetch.bind(globalThis),
    open: Reflect.get(XMLHttpRequest.prototype, 'open') as Open,
  }))
}

/** @param mark asked when a request begins; `undefined` leaves it as it is */
export function tapPage(mark: () => Mark | undefined): void {
  const { fetch: send, open } = originals()
  const isOwn = (url: string | URL) => new URL(url, location.href).origin === location.origin

  globalThis.fetch = async (input, init) => {
    const given = mark()
    const headers = isOwn(input instanceof Request ? input.url : input) ? given?.headers : undefined
    if (!given?.answer && !headers) return send(input, init)
    const request = new Request(input, init)
    for (const [name, value] of Object.entries(headers ?? {}))
      if (!request.headers.has(name)) request.headers.set(name, value)
    const end = given?.begin?.()
    try {
      const answer = (await given?.answer?.(request.clone())) ?? (await send(request))
      if (answer.type === 'error') throw new TypeError('Failed to fetch') // a broken connection
      return answer
    } finally {
      end?.()
    }
  }

  const { prototype } = XMLHttpRequest
  prototype.open = function (method: string, url: string | URL, ...rest: unknown[]) {
    open.call(this, method, url, ...rest)
    const { headers, begin } = mark() ?? {}
    if (headers && isOwn(url))
      for (const [name, value] of Object.entries(headers)) this.setRequestHeader(name, value)
    if (begin) this.addEventListener('loadstart', () => this.addEventListener('loadend', begin()))
  }
}
