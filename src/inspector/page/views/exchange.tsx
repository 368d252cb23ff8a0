import { plural } from '../../../core/values/describe-value.ts'
import { exactJson } from '../../../core/values/exact-number.ts'
import type { Json, RequestDetails } from '../../api/api.ts'
import { formatDocument } from '../logic/editing/highlight.ts'
import { graphqlErrors, graphqlPayload } from '../logic/values.ts'
import { Section } from '../parts/controls.tsx'
import { NextAnswer } from './next-answer.tsx'
import { Body, Code, Headers, JsonTree, Pairs } from '../parts/values.tsx'
import { Stream } from './stream.tsx'
import { SadPaths } from './sad-paths.tsx'

export function RequestTab({ request }: { request: RequestDetails }) {
  const { url, headers, body } = request
  const query = url.includes('?') ? [...new URLSearchParams(url.slice(url.indexOf('?')))] : []
  return (
    <>
      {query.length > 0 && (
        <Section title="Query">
          <Pairs entries={query} />
        </Section>
      )}
      {body && <SentBody body={body} operationName={request.operationName} type={headers['content-type']} />}
      <Headers headers={headers} />
      {query.length === 0 && !body && <p class="muted">No query and no body.</p>}
    </>
  )
}

/** The body of a GraphQL request is split, so that the document can be read. */
function SentBody({
  body,
  operationName,
  type,
}: Required<Pick<RequestDetails, 'body'>> & { operationName: string | undefined; type: string | undefined }) {
  const json = body.text !== undefined && !body.isCut ? exactJson(body.text) : undefined
  const payload = json && graphqlPayload(json.value as Json)
  if (!payload) {
    return (
      <Section title="Body">
        <Body body={body} what="the body" type={type} />
      </Section>
    )
  }
  const { query, variables, others: all } = payload
  // The header of the details shows it already.
  const others = Object.fromEntries(
    Object.entries(all).filter(([key, value]) => key !== 'operationName' || value !== operationName),
  )
  return (
    <>
      <Section title="Document">
        <Code text={formatDocument(query)} what="the document" isGraphQL />
      </Section>
      {variables !== undefined && (
        <Section title="Variables">
          <JsonTree value={variables} label="Variables" />
        </Section>
      )}
      {Object.keys(others).length > 0 && (
        <Section title="Other fields">
          <JsonTree value={others} label="Other fields" />
        </Section>
      )}
    </>
  )
}

export function AnswerTab({ request }: { request: RequestDetails }) {
  const { response, answeredBy } = request
  if (!response) {
    const isPassedOn = answeredBy === 'passed-on'
    return (
      <p class="muted">
        {isPassedOn
          ? 'Passed on. The dev server, a proxy or the application answered, and the answer was not recorded.'
          : 'Not answered yet.'}
      </p>
    )
  }
  const { headers, body, fault } = response
  if (request.stream)
    return (
      <>
        <Stream request={request} />
        <Headers headers={headers} />
      </>
    )
  return (
    <>
      {fault !== undefined && (
        <p class="notice edged tone-failed">
          The fault <code>{fault}</code> broke this answer.
        </p>
      )}
      <GraphqlErrors request={request} />
      <p class="actions row">
        <NextAnswer request={request} />
      </p>
      <SadPaths request={request}>
        <Section title="Body">
          <Body body={body} what="the answer" type={headers['content-type']} />
        </Section>
      </SadPaths>
      <Headers headers={headers} />
    </>
  )
}

/** With HTTP 200, nothing else shows that a GraphQL request failed. */
function GraphqlErrors({ request }: { request: RequestDetails }) {
  const { operationType, operationName, response } = request
  const isGraphQL = operationType !== undefined || operationName !== undefined
  const json = isGraphQL && response?.body.text !== undefined ? exactJson(response.body.text) : undefined
  const errors = json ? graphqlErrors(json.value as Json) : []
  if (errors.length === 0) return null
  return (
    <div class="notice edged tone-failed">
      <h3>{plural(errors.length, 'GraphQL error')}</h3>
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
