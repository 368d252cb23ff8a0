import * as v from 'valibot'
import { names, position, text, whole } from './shapes.ts'

const difference = v.strictObject({
  /** Name that an accepted difference has, with the endpoint: `GET /users/:id key-gone address.zip`. */
  id: text,
  /** A code of `check --against`: `against-key-gone`. */
  code: text,
  severity: v.picklist(['error', 'warning', 'note']),
  message: text,
  fix: text,
  /** `GET /users/:id` */
  endpoint: text,
  /** Id of the route. */
  route: text,
  ...position,
  /** Requests that have shown it: `GET /users/1`. */
  sent: names,
  /** Endpoints where it shows, too. */
  alsoIn: names,
  /** The answer of the fixture, and that of the backend, as JSON without secrets. */
  ours: v.exactOptional(text),
  theirs: v.exactOptional(text),
  /** Whether `POST reality/take` can write it into the fixtures. */
  canTake: v.boolean(),
  /** A route that answers as the backend has, where no fixture has its status: YAML. */
  newRoute: v.exactOptional(text),
})
/** A difference between fixtures and the backend. */
export type RealDifference = v.InferOutput<typeof difference>

export const Reality = v.strictObject({
  /** Address of the backend. Absent if the options name none. */
  target: v.exactOptional(text),
  /** Whether requests that fixtures have answered are also sent to it. */
  compare: v.boolean(),
  /** Routes that were compared since the start. */
  compared: whole,
  /** Differences that `mock-api-accepted.yaml` has. */
  accepted: whole,
  /** All differences. The first hundred are listed, errors first. */
  total: whole,
  differences: v.array(difference),
})
/** Answer of `GET reality`, and of all that changes it. */
export type RealityState = v.InferOutput<typeof Reality>

export const RealitySwitch = v.strictObject({ compare: v.boolean() })
export const TakenDifferences = v.strictObject({ ids: names })
export const Acceptance = v.strictObject({ id: text, reason: v.pipe(text, v.nonEmpty('a reason')) })
