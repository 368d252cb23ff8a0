import type { CreateFeature } from '../node/feature.ts'
import { withinRequest } from './outgoing.ts'

export const withinClient: CreateFeature = ({ options }) =>
  options.outgoing === false
    ? {}
    : {
        pass({ req, origin }, next) {
          if (origin === '') withinRequest(req, next)
          else next()
        },
      }
