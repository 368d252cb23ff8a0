/* As GraphQL Code Generator writes it. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'

export declare const HeroDocument: TypedDocumentNode<{
  hero: { id: string; episodes: ('NEWHOPE' | 'EMPIRE')[] } | null
}>
