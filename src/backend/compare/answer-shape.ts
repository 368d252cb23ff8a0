import { createHash } from 'node:crypto'
import { redactText } from '../../core/redact/redact.ts'
import { shapeOf, type Shape } from '../../core/shape/shape.ts'
import { ownValue, sortedJson } from '../../core/values/values.ts'
import type { RealAnswer } from './ask/polite-client.ts'

/** Compared parts of an answer: plain JSON without values, so that it can be kept in a file. */
export interface AnswerShape {
  status: number
  /** Map of all headers by their names in lower case. Those that are not compared have an empty value. */
  headers: Readonly<Record<string, string>>
  /** The shape of JSON, or why there is none. */
  body: Shape | Exclude<RealAnswer['body'], object>
  /** Equal for equal bodies. */
  digest?: string
  /** Errors of a GraphQL result: the first message, and the places. */
  errors?: { message?: string | undefined; paths: string[] }
}

const compared = new Set(['content-type', 'allow'])

export function answerShape({ status, headers, body }: RealAnswer): AnswerShape {
  const names = [...headers].map(([name, value]) => [name, compared.has(name) ? value : ''] as const)
  const answer = { status, headers: Object.fromEntries(names) }
  if (typeof body !== 'object') return { ...answer, body }
  const digest = createHash('sha256').update(sortedJson(body.value)).digest('base64url')
  const errors = ownValue(body.value, 'errors')
  return {
    ...answer,
    body: shapeOf(body.value),
    digest,
    ...(Array.isArray(errors) && { errors: errorsOf(errors) }),
  }
}

export function shapeIn({ body }: AnswerShape): Shape | undefined {
  return typeof body === 'object' ? body : undefined
}

function errorsOf(errors: readonly unknown[]): NonNullable<AnswerShape['errors']> {
  const message = ownValue(errors[0], 'message')
  const paths = errors.flatMap((one) => {
    const path = ownValue(one, 'path')
    return Array.isArray(path)
      ? [path.map((key: unknown) => (typeof key === 'number' ? '*' : key)).join('.')]
      : []
  })
  const text = typeof message === 'string' ? redactText(message) : undefined
  return { message: text, paths: [...new Set(paths)] }
}
