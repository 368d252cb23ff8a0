import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { EnvelopeFacts } from './envelope-facts.tsx'
import { Failure } from './failure.tsx'
import { fetchItems } from './fetch-items.ts'
import { ResponseLine } from './response-line.tsx'
import { useReachedEnd } from './use-reached-end.ts'

export function ItemsPanel() {
  const { data, error, fetchNextPage, hasNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: ['items'],
    queryFn: ({ pageParam }) => fetchItems(pageParam),
    initialPageParam: 1,
    getNextPageParam: ({ envelope }) => (envelope.has_more ? envelope.page + 1 : undefined),
  })
  const last = data?.pages.at(-1)
  const items = data?.pages.flatMap(({ envelope }) => envelope.data.filter((item) => item !== null)) ?? []
  const atEnd = last !== undefined && !hasNextPage

  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const canLoadMore = hasNextPage && !isFetching
  const scroller = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLDivElement>(null)
  // After a failure only the user retries; otherwise the end of the list would send requests in a loop.
  useReachedEnd(scroller, end, canLoadMore && !error ? loadMore : undefined)

  return (
    <section className="panel" aria-labelledby="items-heading">
      <p className="request">GET /items?page={last?.envelope.page ?? 1}</p>
      <h2 id="items-heading">A list that ends</h2>
      <p className="explanation">
        Scroll to the end of the list to load the next page, until one says that it is the last.
      </p>
      <ResponseLine
        waiting={isFetching}
        status={error ? undefined : last?.status}
        route={error ? null : last?.route}
      />
      {error && <Failure error={error} onRetry={() => void (last ? fetchNextPage() : refetch())} />}
      {last && (
        <>
          <p className="counters" role="status">
            <strong>
              Page {last.envelope.page} of {last.envelope.total_pages}
            </strong>
            <span>
              {items.length} of {last.envelope.total} items
            </span>
          </p>
          <div
            className="items"
            ref={scroller}
            tabIndex={0}
            role="region"
            aria-label="Items"
            aria-busy={isFetching}
          >
            <ul>
              {items.map((item) => (
                <li key={item.id}>
                  <span className="number">{item.id}</span>
                  {item.name}
                </li>
              ))}
            </ul>
            <div className="list-end" ref={end} />
          </div>
          <div className="more">
            {/* aria-disabled keeps the keyboard focus here, which `disabled` would take away. */}
            <button type="button" aria-disabled={!canLoadMore} onClick={canLoadMore ? loadMore : undefined}>
              Load more
            </button>
            <p role="status">{atEnd && 'That was the last page.'}</p>
          </div>
          <EnvelopeFacts envelope={last.envelope} />
        </>
      )}
    </section>
  )
}
