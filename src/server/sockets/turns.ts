/** Messages that are read before other work of the process has its turn. */
const maxAtOnce = 100
/** Bytes that take as long to read as one message. */
const bytesOfOne = 500

/** `setImmediate` where it exists: Node's timers that are due again at once would leave no time for anything else. */
const nextTurn: (run: () => void) => unknown = globalThis.setImmediate ?? setTimeout

/** Reads what a client sends in its order, and in turns with other work of the process. */
export class Turns {
  /** Whether the server has closed the WebSocket: messages that wait are passed over. */
  isOver = false
  /** How much waits, in messages. */
  weight = 0
  #waiting: { weight: number; read: () => void }[] = []
  #spent = 0
  #isBusy = false

  /** @param hold is told when the client has to wait, and when no longer */
  constructor(private readonly hold: (isHeld: boolean) => void = () => {}) {}

  add(bytes: number, read: () => void): void {
    const weight = 1 + bytes / bytesOfOne
    this.weight += weight
    this.#waiting.push({ weight, read })
    if (!this.#isBusy) this.#read()
  }

  #read(): void {
    this.#isBusy = true
    let count = 0
    while (count < this.#waiting.length && this.#spent < maxAtOnce) {
      const { weight, read } = this.#waiting[count++]!
      this.weight -= weight
      if (!this.isOver) this.#spent += weight
      read()
    }
    this.#waiting.splice(0, count)
    this.#isBusy = this.#spent >= maxAtOnce
    if (!this.#isBusy) return
    this.hold(true)
    nextTurn(() => {
      this.#spent = 0
      this.#read()
      if (!this.#isBusy) this.hold(false)
    })
  }
}
