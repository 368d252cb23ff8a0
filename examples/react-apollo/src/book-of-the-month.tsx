import { CombinedGraphQLErrors } from '@apollo/client'
import { useQuery } from '@apollo/client/react'
import { BOOK_OF_THE_MONTH } from './queries.ts'

/** A query that fails in part: with `errorPolicy: 'all'`, the page has both the data and the error. */
export function BookOfTheMonth() {
  const { data, error } = useQuery(BOOK_OF_THE_MONTH, { errorPolicy: 'all' })
  const book = data?.bookOfTheMonth
  return (
    <section aria-labelledby="month">
      <h2 id="month">Book of the month</h2>
      {book && (
        <p className="card">
          <strong>{book.title}</strong>
          <span>
            {book.author}, {book.year}
          </span>
          <span>Copies left: {book.copiesLeft ?? 'unknown'}</span>
        </p>
      )}
      {error && (
        <p role="alert">
          {CombinedGraphQLErrors.is(error)
            ? error.errors
                .map(({ message, path }) => (path ? `${message} (${path.join('.')})` : message))
                .join(' ')
            : error.message}
        </p>
      )}
    </section>
  )
}
