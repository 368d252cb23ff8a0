import { NetworkStatus } from '@apollo/client'
import { useQuery } from '@apollo/client/react'
import { BOOKS } from './queries.ts'

/** A list that grows with each page. */
export function Books() {
  const { data, error, fetchMore, networkStatus } = useQuery(BOOKS)
  if (error) return <p role="alert">{error.message}</p>
  if (!data) return <p>Loading the books …</p>

  const { edges, pageInfo } = data.books
  return (
    <section aria-labelledby="books">
      <h2 id="books">All books</h2>
      <ul className="rows">
        {edges.map(({ node }) => (
          <li key={node.id}>
            <strong>{node.title}</strong>
            <span>
              {node.author}, {node.year}
            </span>
          </li>
        ))}
      </ul>
      {pageInfo.hasNextPage ? (
        <button
          disabled={networkStatus === NetworkStatus.fetchMore}
          onClick={() => void fetchMore({ variables: { after: pageInfo.endCursor } })}
        >
          Load more
        </button>
      ) : (
        <p className="quiet">That is all: {edges.length} books.</p>
      )}
    </section>
  )
}
