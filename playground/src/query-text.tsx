import type { GraphQLFormattedError } from 'graphql'
import { Fragment } from 'react'
import { markLocations } from './mark-locations.ts'

interface Props {
  query: string
  errors: readonly GraphQLFormattedError[]
}

/** The query as it was sent, with the place of every error marked in it. */
export function QueryText({ query, errors }: Props) {
  const lines = markLocations(
    query,
    errors.flatMap((error) => error.locations ?? []),
  )
  return (
    <section aria-labelledby="query-heading">
      <h3 id="query-heading">Query as it was sent</h3>
      {/* Long lines scroll sideways, so the keyboard has to be able to get here. */}
      <pre className="code" tabIndex={0} role="group" aria-labelledby="query-heading">
        {lines.map((parts, index) => (
          <Fragment key={index}>
            <span className="line">
              {parts.map((part, at) => (part.marked ? <mark key={at}>{part.text}</mark> : part.text))}
            </span>
            {index < lines.length - 1 && '\n'}
          </Fragment>
        ))}
      </pre>
    </section>
  )
}
