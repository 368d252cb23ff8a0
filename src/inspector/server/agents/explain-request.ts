import * as v from 'valibot'
import { isDataFile } from '../../../loader/find/fixture-names.ts'
import type { Explanation, ShownBody } from '../../api/api.ts'
import { apiSchemas } from '../../api/schemas.ts'
import { integer, text, texts, whole } from '../../api/shapes.ts'
import type { ApiCall } from '../../client/api-client.ts'
import { isMiss } from '../../client/is-miss.ts'
import { about, dataNote, tool } from './tool.ts'

/** Characters of a body. */
const maxText = 4000
const maxFrames = 20

const action = v.strictObject({
  tool: v.picklist(['write_fixture', 'set_scenario', 'reset']),
  arguments: v.record(text, v.unknown()),
  why: text,
})

type Action = v.InferOutput<typeof action>

const proposal = v.strictObject({ file: text, yaml: text, notes: v.array(text) })

const shownText = v.strictObject({
  /** Bytes of the whole body. */
  size: whole,
  text: v.exactOptional(text),
  /** Where the next part of the text begins. */
  next: v.exactOptional(whole),
})

const { method, url, headers, body } = apiSchemas.ExplainRequest.entries

export const explainRequest = tool({
  name: 'explain_request',
  title: 'Explain a request',
  description:
    'Why a request got its answer: every candidate route with file, line and the conditions that failed, the nearest first, and what would help, as arguments of other tools. Give the id of a recorded request (list_requests), which also shows headers and bodies; or method, url, headers and body of one that was not sent: it is not answered, only explained.',
  example: { request: 7 },
  changes: false,
  input: v.strictObject({
    request: about(integer, 'The id of a recorded request.'),
    method: about(method.wrapped, 'Default GET.'),
    url: about(url, 'Path and query, in place of `request`.'),
    headers,
    body,
    from: about(whole, 'Which character of the bodies is shown first: `next` of a body.'),
    sadPaths: about(
      v.pipe(whole, v.maxValue(500)),
      'List up to so many ways in which the answer can go wrong. Default 0.',
    ),
  }),
  output: v.strictObject({
    note: text,
    decision: apiSchemas.Explanation,
    /** Tool calls the agent can make next. */
    actions: v.array(action),
    request: v.exactOptional(apiSchemas.RequestSummary),
    sent: v.exactOptional(v.strictObject({ headers: texts, body: v.exactOptional(shownText) })),
    received: v.exactOptional(
      v.strictObject({ status: whole, headers: texts, body: shownText, fault: v.exactOptional(text) }),
    ),
    frames: apiSchemas.RequestDetails.entries.frames,
    /** The YAML that `write_fixture` would write for it. */
    proposal: v.exactOptional(proposal),
    /** Sad paths for `force_answer` and `write_fixture`. */
    sadPaths: v.exactOptional(v.array(v.strictObject({ id: text, title: text }))),
    moreSadPaths: v.exactOptional(whole),
  }),
  async run(call, { request: id, from = 0, sadPaths: limit = 0, ...asked }) {
    const { url } = asked
    if ((id === undefined) === (url === undefined))
      throw new Error('Either "request", the id of a recorded request, or "url" is needed.')
    if (id === undefined) {
      const decision = await call('POST /explain', { body: { ...asked, url: url! } })
      const route = decision.route
      const listed = route === undefined ? {} : await listSadPaths(call, { route }, limit)
      return { note: dataNote, decision, actions: actionsFor(decision), ...listed }
    }
    const { decision, headers, body, response, frames, ...request } = await call('GET /requests/{id}', { id })
    const isMissed = isMiss(request)
    return {
      note: dataNote,
      decision,
      actions: actionsFor(decision, isMissed ? id : undefined),
      request,
      sent: { headers, ...(body && { body: part(body, from) }) },
      ...(response && { received: { ...response, body: part(response.body, from) } }),
      ...(frames && { frames: frames.slice(-maxFrames) }),
      ...(isMissed && (await propose(call, id))),
      ...(await listSadPaths(call, { request: String(id) }, limit)),
    }
  },
})

function part({ size, text }: ShownBody, from: number): v.InferOutput<typeof shownText> {
  if (text === undefined) return { size }
  const end = from + maxText
  return { size, text: text.slice(from, end), ...(end < text.length && { next: end }) }
}

/** Routes in code are left to their authors. */
function actionsFor({ answeredBy, candidates }: Explanation, missed?: number): Action[] {
  const actions: Action[] = []
  if (answeredBy === 'override')
    actions.push({ tool: 'reset', arguments: {}, why: 'an override answers in place of the fixtures' })
  if (missed === undefined) return actions
  for (const { id, unmet, isSelected, file = '' } of candidates.slice(0, 2)) {
    if (isSelected || unmet.length === 0 || !isDataFile(file)) continue
    const [{ field, expected }] = unmet as [(typeof unmet)[0]]
    // A route of several answers in any of them.
    const scenario = unmet.length === 1 && field === 'scenario' ? expected.split(' or ')[0]! : undefined
    actions.push(
      scenario === undefined
        ? {
            tool: 'write_fixture',
            arguments: { request: missed, route: id },
            why: `the selector of "${id}" is changed to match this request`,
          }
        : { tool: 'set_scenario', arguments: { scenario }, why: `"${id}" answers in this scenario` },
    )
  }
  const why = 'a new route answers this request, as in `proposal`'
  return [...actions, { tool: 'write_fixture', arguments: { request: missed }, why }]
}

/** The proposed fixture, if one can be written for the request. */
async function propose(
  call: ApiCall,
  request: number,
): Promise<{ proposal?: v.InferOutput<typeof proposal> }> {
  try {
    const { file, text: yaml, notes } = await call('POST /edit', { body: { request } })
    return { proposal: { file, yaml, notes } }
  } catch {
    return {}
  }
}

async function listSadPaths(call: ApiCall, of: Record<string, string>, limit: number) {
  if (limit === 0) return {}
  const query = new URLSearchParams({ ...of, limit: String(limit) }).toString()
  const { sadPaths, more } = await call('GET /sad-paths', { query })
  return { sadPaths: sadPaths.map(({ id, title }) => ({ id, title })), moreSadPaths: more }
}
