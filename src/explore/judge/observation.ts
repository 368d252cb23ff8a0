/** A visible element with its own text, without that of its children. */
export interface VisibleElement {
  /** Tags and classes from the body down to it; elements that look alike have the same. */
  place: string
  /** The element's text, else its label, its alternative text or its value. */
  text: string
  /** Whether it is where messages are: a live region, a dialog, a toast. */
  isMessage?: true
}

export interface PageError {
  message: string
  stack?: string
}

export interface Observation {
  /** Visible elements in the order of the document. */
  parts: readonly VisibleElement[]
  /** All parts that were painted since the page was opened. */
  painted: readonly VisibleElement[]
  /** Texts of `alert()` and the like. */
  said: readonly string[]
  /** Path and hash of the page. */
  address: string
  hasPassword: boolean
  /** Timers that may still change the page: milliseconds and a hash of the code. */
  timers: readonly string[]
  /** Signs of waiting: the places of spinners and skeletons. */
  busy: readonly string[]
  /** Requests without a whole answer: `GET /items`. */
  pending: readonly string[]
  /** How often each request was sent. */
  requests: Readonly<Record<string, number>>
  /** Uncaught errors, unhandled rejections, and what an error overlay shows. */
  errors: readonly PageError[]
  /** Milliseconds. */
  elapsed: number
}
