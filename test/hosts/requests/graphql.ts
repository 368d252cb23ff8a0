import type { Ask, Expected, Group } from './row.ts'

const post = (payload: unknown): Ask => ({
  method: 'POST',
  target: '/graphql',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(payload),
})
const errors = (message: string) => ({ errors: [{ message }] })
const answered = (body: object): Expected[] => [{ status: 200, body }]
const fields = (count: number) => `{${'a '.repeat(count)}}`

export const graphql: Group = {
  title: 'GraphQL',
  rows: [
    {
      request: 'A document of more than `graphql.maxTokens` tokens',
      answer: 'A GraphQL error that names the option',
      asks: [post({ query: fields(10_000) })],
      expected: answered(errors('The document has more than 10000 tokens (option "graphql.maxTokens").')),
      not: ['http2'], // it is a warning, which is logged once
      logged: 'graphql-refused',
    },
    {
      request: 'A document whose fields or fragments are nested deeper than `graphql.maxDepth` levels',
      answer: 'A GraphQL error that names the option',
      asks: [post({ query: `${'{a'.repeat(101)}${'}'.repeat(101)}` })],
      expected: answered(errors('The document nests deeper than 100 levels (option "graphql.maxDepth").')),
      not: ['http2'], // it is a warning, which is logged once
      logged: 'graphql-refused',
    },
    {
      request:
        'A request or a whole batch that costs more than `graphql.maxCost` (tokens, validation, variables, fields of the answer)',
      answer:
        'A GraphQL error that names the option and lists the cost of each part; in a batch, one for each operation beyond the limit',
      asks: [post(Array.from({ length: 11 }, () => ({ query: fields(9_990) })))],
      expected: answered(
        Array.from({ length: 11 }, () =>
          errors(
            'The request costs more than 100000 units of work (option "graphql.maxCost"): parsing 109912.',
          ),
        ),
      ),
      not: ['http2'], // it is a warning, which is logged once
      logged: 'graphql-refused',
    },
    {
      request: 'A batch of more than 100 operations',
      answer: '400',
      asks: [post(Array.from({ length: 101 }, () => ({ query: '{a}' })))],
      expected: [{ status: 400 }],
      logged: 'request-body-malformed',
    },
  ],
}
