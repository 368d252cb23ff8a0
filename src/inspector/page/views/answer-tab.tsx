import type { RequestDetails } from '../../api.ts'
import { graphqlErrors } from '../logic/graphql.ts'
import { count } from '../logic/format.ts'
import { parseJson } from '../logic/json.ts'
import { Body, Headers } from '../parts/message.tsx'

/** What was answered. */
export function AnswerTab({ request }: { request: RequestDetails }) {
  const { response, answeredBy } = request
  if (!response) {
    const isPassedOn = answeredBy === 'passed-on'
    return (
      <p class="muted">
        {isPassedOn
          ? 'Passed on: the dev server, a proxy or the application answered it, and that answer is not recorded.'
          : 'Not answered yet.'}
      </p>
    )
  }
  const { headers, body, fault } = response
  return (
    <>
      {fault !== undefined && (
        <p class="notice edged tone-failed">
          The fault <code>{fault}</code> broke this answer.
        </p>
      )}
      <GraphqlErrors request={request} />
      <section class="section stack">
        <h3>Body</h3>
        <Body body={body} what="the answer" />
      </section>
      <Headers headers={headers} />
    </>
  )
}

/** The errors of a GraphQL answer: with HTTP 200, nothing else shows that it failed. */
function GraphqlErrors({ request }: { request: RequestDetails }) {
  const { operationType, operationName, response } = request
  const isGraphQL = operationType !== undefined || operationName !== undefined
  const json = isGraphQL && response?.body.text !== undefined ? parseJson(response.body.text) : undefined
  const errors = json ? graphqlErrors(json.value) : []
  if (errors.length === 0) return null
  return (
    <div class="notice edged tone-failed">
      <h3>{count(errors.length, 'GraphQL error')}</h3>
      <ul>
        {errors.map(({ message, path, locations }, index) => (
          <li key={index}>
            {message}
            {(path !== undefined || locations.length > 0) && (
              <span class="muted">
                {' '}
                {path !== undefined && <code>{path}</code>}{' '}
                {locations.length > 0 && `at ${locations.join(', ')} of the document`}
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
