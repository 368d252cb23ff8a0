import type { CreateFeature } from '../node/feature.ts'
import { withinRequest } from './outgoing.ts'

/** What the next handler calls belongs to the client of the request. */
export const withinClient: CreateFeature = ({ options }) =>
  options.outgoing === false
    ? {}
    : {
        pass({ req, origin }, next) {
          if (origin === '') withinRequest(req, next)
          else next()
        },
      }
