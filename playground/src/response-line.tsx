interface Props {
  waiting: boolean
  status: number | undefined
  route: string | null | undefined
  /** `false` until there was a request. Default `true`. */
  isAsked?: boolean
}

/** Shows the response. It stays in the page while its text changes, so that screen readers announce it. */
export function ResponseLine({ waiting, status, route, isAsked = true }: Props) {
  return (
    <p className="response" role="status">
      {waiting && 'Waiting for the answer…'}
      {!waiting && isAsked && (
        <>
          {status === undefined ? (
            <strong className="bad">No usable answer</strong>
          ) : (
            <strong className={status < 400 ? 'good' : 'bad'}>HTTP {status}</strong>
          )}{' '}
          {route && (
            <span>
              answered by: <span className="route">{route}</span>
            </span>
          )}
        </>
      )}
    </p>
  )
}
