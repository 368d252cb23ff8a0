import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Shape } from '../../core/shape/shape.ts'
import { withoutValues } from '../../core/shape/without-values.ts'
import { asJson } from '../../core/values/json-value.ts'
import { isRecord } from '../../core/values/values.ts'
import type { AskedRoute, AskedRoutes } from './ask/ask-backend-routes.ts'
import { groupOf } from './found.ts'
import type { PlannedRequest } from './ask/plan-requests.ts'

const shape = v.custom<Shape>((value) => isRecord(value) && typeof value['count'] === 'number')
const text = v.string()
const savedFile = v.object({
  /** The version of the format. */
  shapes: v.literal(1),
  backend: text,
  answers: v.array(
    v.object({
      group: text,
      /** A hash of the request, of which no value is kept. */
      request: text,
      sent: text,
      needsSignIn: v.boolean(),
      isGuess: v.boolean(),
      answer: v.object({
        status: v.number(),
        headers: v.record(text, text),
        body: v.union([v.picklist(['no body', 'no JSON', 'broken JSON', 'too long']), shape]),
        digest: v.exactOptional(text),
        errors: v.exactOptional(v.object({ message: v.optional(text), paths: v.array(text) })),
      }),
    }),
  ),
})

/** Answers of a backend, kept for where it can't be asked: shapes, without values. */
export type SavedShapes = v.InferOutput<typeof savedFile>

/** @param backend its address */
export function saveShapes(asked: readonly AskedRoute[], backend: string): string {
  const digests = [...new Set(asked.map(({ answer }) => answer.digest))]
  const answers = asked.map(({ planned, answer: { body, digest, ...answer }, needsSignIn, isGuess }) => ({
    group: groupOf(planned, planned.status),
    request: hashOf(planned),
    sent: `${planned.method} ${planned.path}`,
    needsSignIn,
    isGuess,
    answer: {
      ...answer,
      ...(answer.errors && { errors: { ...answer.errors, message: aboutNames(answer.errors.message) } }),
      body: typeof body === 'object' ? withoutValues(body) : body,
      ...(digest !== undefined && { digest: String(digests.indexOf(digest)) }), // a hash tells a short body
    },
  }))
  return `${JSON.stringify({ shapes: 1, backend, answers } satisfies SavedShapes, null, 1)}\n`
}

/** A message about names of the schema. Others may have values. */
function aboutNames(message: string | undefined): string | undefined {
  return /^(?:Cannot query field|Unknown argument|Unknown type) "\w+"(?: on (?:type|field) "[\w.]+")?\./.exec(
    message ?? '',
  )?.[0]
}

/** @returns nothing if it is another file */
export function readShapes(content: string): SavedShapes | undefined {
  const { success, output } = v.safeParse(savedFile, asJson(content)?.value)
  return success ? output : undefined
}

/** Answers as the backend gave them to these requests, or to another one of the same endpoint and status. */
export function answersIn({ answers }: SavedShapes, requests: readonly PlannedRequest[]): AskedRoutes {
  const result: AskedRoutes = { asked: [], left: [] }
  for (const planned of requests) {
    const ofGroup = answers.filter(({ group }) => group === groupOf(planned, planned.status))
    const found = ofGroup.find(({ request }) => request === hashOf(planned)) ?? ofGroup[0]
    if (found) result.asked.push({ ...found, planned, json: undefined })
    else result.left.push({ planned, why: 'no shape of it is saved: save them again' })
  }
  return result
}

function hashOf({ params, query, headers, body }: PlannedRequest): string {
  const parts = JSON.stringify([params, query, headers, body])
  return createHash('sha256').update(parts).digest('base64url')
}
