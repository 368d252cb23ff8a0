import type * as v from 'valibot'
import * as files from './api-files.ts'
import * as reality from './api-reality.ts'
import * as requests from './api-requests.ts'
import * as routes from './api-routes.ts'
import * as state from './api-state.ts'

/** The shapes by the names that they have in `GET openapi.json`. */
export const apiSchemas = { ...routes, ...requests, ...state, ...files, ...reality }
/** The types of the shapes. */
export type Shapes = { [Name in keyof typeof apiSchemas]: v.InferOutput<(typeof apiSchemas)[Name]> }
