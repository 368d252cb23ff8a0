/* The typed fixture of docs/check.md, which the compiler checks (`npm run typecheck`). */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { defineFixture } from '../../src/fixture.ts'

/** As GraphQL Code Generator writes it. */
export declare const HeroDocument: TypedDocumentNode<{
  hero: { id: string; episodes: ('NEWHOPE' | 'EMPIRE')[] } | null
}>

export default defineFixture<typeof HeroDocument>([
  { path: '/graphql', response: { body: { data: { hero: { id: '2001', episodes: ['EMPIRE'] } } } } },
])
