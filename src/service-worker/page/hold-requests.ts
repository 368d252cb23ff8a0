/**
 * Holds requests back until the worker controls the page. A synchronous `XMLHttpRequest` can't wait.
 *
 * @returns releases the requests in their order, and ends this
 */
export function holdRequests(): () => void {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const ends = [holdFetch(released), holdXhr(released)]
  return () => {
    for (const end of ends) end()
    release()
  }
}

function holdFetch(released: Promise<void>): () => void {
  const page = window as { fetch: (this: void, ...request: Parameters<typeof fetch>) => Promise<Response> }
  const { fetch: send } = page
  const held: typeof send = async (...request) => {
    await released
    return send(...request)
  }
  page.fetch = held
  return () => {
    if (page.fetch === held) page.fetch = send // else someone has wrapped it since
  }
}

type Xhr = XMLHttpRequest

function holdXhr(released: Promise<void>): () => void {
  const prototype = XMLHttpRequest.prototype as Record<
    'open' | 'send' | 'abort',
    (...parameters: never[]) => void
  >
  const { open, send, abort } = prototype
  /** An object for each `send()` that waits. */
  const waiting = new WeakMap<Xhr, object>()
  const synchronous = new WeakSet<Xhr>()

  const held = {
    open(this: Xhr, ...parameters: never[]) {
      waiting.delete(this)
      if (parameters.length > 2 && !parameters[2]) synchronous.add(this)
      else synchronous.delete(this)
      open.apply(this, parameters)
    },
    send(this: Xhr, ...parameters: never[]) {
      if (synchronous.has(this) || this.readyState !== XMLHttpRequest.OPENED)
        return send.apply(this, parameters)
      const sending = {}
      waiting.set(this, sending)
      void released.then(() => {
        if (waiting.get(this) === sending) send.apply(this, parameters)
      })
    },
    abort(this: Xhr) {
      const isWaiting = waiting.delete(this)
      abort.apply(this)
      // The browser does not know that it was sent.
      if (isWaiting) for (const type of ['abort', 'loadend']) this.dispatchEvent(new ProgressEvent(type))
    },
  }
  Object.assign(prototype, held)
  return () => {
    if (prototype.open === held.open && prototype.send === held.send && prototype.abort === held.abort)
      Object.assign(prototype, { open, send, abort })
  }
}
