import type { RequestDetails } from '../../api.ts'
import { graphqlPayload } from '../logic/graphql.ts'
import { parseJson } from '../logic/json.ts'
import { Code } from '../parts/code.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { Body, Headers, Pairs } from '../parts/message.tsx'

/** What was asked. */
export function RequestTab({ request }: { request: RequestDetails }) {
  const { url, headers, body } = request
  const query = url.includes('?') ? [...new URLSearchParams(url.slice(url.indexOf('?')))] : []
  return (
    <>
      {query.length > 0 && (
        <section class="section stack">
          <h3>Query</h3>
          <Pairs entries={query} />
        </section>
      )}
      {body && <SentBody body={body} operationName={request.operationName} />}
      <Headers headers={headers} />
      {query.length === 0 && !body && <p class="muted">No query and no body.</p>}
    </>
  )
}

/** The body. That of a GraphQL request is split, so that the document can be read. */
function SentBody({
  body,
  operationName,
}: Required<Pick<RequestDetails, 'body'>> & { operationName: string | undefined }) {
  const json = body.text !== undefined && !body.isCut ? parseJson(body.text) : undefined
  const payload = json && graphqlPayload(json.value)
  if (!payload) {
    return (
      <section class="section stack">
        <h3>Body</h3>
        <Body body={body} what="the body" />
      </section>
    )
  }
  const { query, variables, others: all } = payload
  // The header of the details shows it already.
  const others = Object.fromEntries(
    Object.entries(all).filter(([key, value]) => key !== 'operationName' || value !== operationName),
  )
  return (
    <>
      <section class="section stack">
        <h3>Document</h3>
        <Code text={query} what="the document" />
      </section>
      {variables !== undefined && (
        <section class="section stack">
          <h3>Variables</h3>
          <JsonTree value={variables} label="Variables" />
        </section>
      )}
      {Object.keys(others).length > 0 && (
        <section class="section stack">
          <h3>Other fields</h3>
          <JsonTree value={others} label="Other fields" />
        </section>
      )}
    </>
  )
}
