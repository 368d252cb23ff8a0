import { ServerError, ServerParseError, type ErrorLike } from '@apollo/client'

interface Props {
  error: ErrorLike
  onRetry: () => void
}

/** Shown for requests without a usable answer. */
export function Failure({ error, onRetry }: Props) {
  return (
    <div className="notice" role="alert">
      <p className="message">{whatHappened(error)}</p>
      <p>
        Check that the dev server still runs and that <code>mockApi()</code> is among the plugins of its
        configuration, then try again.
      </p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}

function whatHappened(error: ErrorLike): string {
  if (ServerError.is(error)) return `The server answered HTTP ${error.statusCode}.`
  if (ServerParseError.is(error)) return `The server answered HTTP ${error.statusCode}, but not with JSON.`
  // fetch() throws a TypeError when no response comes.
  if (error instanceof TypeError) return 'The server did not answer.'
  return error.message
}
