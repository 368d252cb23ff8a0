import { bodies } from './bodies.ts'
import { encodings, passthrough } from './encodings.ts'
import { framing } from './framing.ts'
import { graphql } from './graphql.ts'
import { http2 } from './http2.ts'
import { pages } from './pages.ts'
import type { Group } from './row.ts'
import { targets } from './targets.ts'

/** Every row of `docs/requests.md`. */
export const groups: Group[] = [framing, http2, targets, pages, bodies, encodings, graphql, passthrough]
