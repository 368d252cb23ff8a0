import { CombinedGraphQLErrors } from '@apollo/client'
import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { Failure } from './failure.tsx'
import type { Exchange, ExchangeContext } from './graphql-client.ts'
import { GraphqlErrors } from './graphql-errors.tsx'
import { HeroCard } from './hero-card.tsx'
import { heroQueries, type HeroQueryName } from './hero-queries.ts'
import { QueryText } from './query-text.tsx'
import { ResponseLine } from './response-line.tsx'

export function HeroPanel() {
  const [queryName, setQueryName] = useState<HeroQueryName>('HeroQuery')
  const [exchange, setExchange] = useState<Exchange>()
  const context: ExchangeContext = { onExchange: setExchange }
  const { data, error, loading, refetch } = useQuery(heroQueries[queryName], {
    // Without these, Apollo would drop the partial data, or answer from its cache.
    errorPolicy: 'all',
    fetchPolicy: 'no-cache',
    context,
  })

  const send = (name: HeroQueryName) => {
    if (name === queryName) void refetch()
    else setQueryName(name)
  }
  const errors = CombinedGraphQLErrors.is(error) ? error.errors : []
  const failure = error && errors.length === 0 ? error : undefined

  return (
    <section className="panel" aria-labelledby="hero-heading">
      <p className="request">POST /graphql</p>
      <h2 id="hero-heading">GraphQL that fails</h2>
      <p className="explanation">
        A GraphQL query can fail and still come back with HTTP 200: with errors, and with the data that the
        server could get.
      </p>
      <div className="switch" role="group" aria-label="Query to send">
        <SendButton
          label="Happy query"
          pressed={queryName === 'HeroQuery'}
          onSend={() => send('HeroQuery')}
        />
        <SendButton
          label="Failing query"
          pressed={queryName === 'FailingQuery'}
          onSend={() => send('FailingQuery')}
        />
      </div>
      <ResponseLine waiting={loading} status={exchange?.status} route={exchange?.route} />
      <div className="answer" aria-busy={loading}>
        {failure && <Failure error={failure} onRetry={() => void refetch()} />}
        {errors.length > 0 && <GraphqlErrors errors={errors} />}
        <div className="columns">
          {data?.hero && <HeroCard hero={data.hero} partial={errors.length > 0} />}
          {exchange && !loading && <QueryText query={exchange.query} errors={errors} />}
        </div>
      </div>
    </section>
  )
}

function SendButton(props: { label: string; pressed: boolean; onSend: () => void }) {
  return (
    <button type="button" aria-pressed={props.pressed} onClick={props.onSend}>
      {props.label}
    </button>
  )
}
