import type * as Reading from './params.ts'

let reading: typeof Reading | undefined

/** The parser of graphql-js is a fifth of a fetch handler, and many mocks have no GraphQL. Until it is loaded, reading throws. */
export async function loadGraphQL(): Promise<void> {
  reading ??= await import('./params.ts')
}

export function isGraphQLLoaded(): boolean {
  return reading !== undefined
}

/** Reads requests and documents. */
export function graphqlReading(): typeof Reading {
  if (!reading) throw new Error('A document of GraphQL is to be read, and its parser was not loaded.')
  return reading
}
