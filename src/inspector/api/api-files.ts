import * as v from 'valibot'
import { canonicalTarget } from '../../core/http/host-name.ts'
import { DiagnosticInfo } from './api-requests.ts'
import { answeredBy, integer, names, position, positive, text, whole } from './shapes.ts'

/* The shapes of what writes fixture files. */

const recordSwitch = {
  /** Whether answers of the backend are recorded. */
  recording: v.boolean(),
  /** Where requests are sent. Default: the option `record.target`, else the proxy of the dev server. */
  target: v.exactOptional(
    v.pipe(
      text,
      v.check(
        (url) => canonicalTarget(url) !== undefined,
        'a URL such as "https://staging.example", without user and query',
      ),
    ),
  ),
  /** Another origin, which pages ask: then its answers alone are recorded, for routes with a `url`. */
  origin: v.exactOptional(
    v.pipe(text, v.regex(/^https?:\/\/[^/?#@\\\s*]+$/, 'an origin such as "https://api.example.com"')),
  ),
}
export const RecordSwitch = v.strictObject(recordSwitch)

const omission = v.strictObject({
  /** `response header "date"`. */
  what: text,
  /** One sentence. */
  why: text,
  /** `POST /login`. */
  where: text,
  /** How often. */
  count: whole,
})
/** Something that a recording or an import has left out. */
export type Omission = v.InferOutput<typeof omission>

export const RecordState = v.strictObject({
  ...recordSwitch,
  /** The folder of the files, relative to the project's root. */
  folder: text,
  /** How many answers the current recording has, or the last one. */
  answers: whole,
  /** Recorded files, relative to the project's root. */
  files: names,
  /** Omitted parts: credentials, what differs with each answer, and answers that can't be recorded. */
  omitted: v.array(omission),
})

const fileName = v.pipe(text, v.nonEmpty('the name of a file'))

export const EditRequest = v.strictObject({
  /** The id of the request that is to be answered. Needed without `routes` or `text`. */
  request: v.exactOptional(integer),
  /** The id of a route: its selector is changed to match the request. */
  route: v.exactOptional(text),
  /** With `route`: values that the selector names stay as well, beside those of the request. Default `false`. */
  widen: v.exactOptional(v.boolean()),
  /**
   * Without `route`: the file that gets a new route, relative to the project's root, which may be a new file. Default: a
   * new file, named by the path.
   */
  file: v.exactOptional(fileName),
  /** Without `route`, the id of a sad path: the new route answers as that, in a scenario. */
  sadPath: v.exactOptional(text),
  /** The text of the whole file, which is only checked. */
  text: v.exactOptional(text),
  /** A YAML list of routes, which `file` gets at its end. */
  routes: v.exactOptional(text),
  /** Whether those of `routes` that the file has already are replaced, where they stand. Default `false`: an error. */
  replace: v.exactOptional(v.boolean()),
})

const newText = {
  /** Relative to the project's root. */
  file: fileName,
  /** The text of the whole file. */
  text,
  /** A hash of the file that the text was made from; empty for a new file. */
  version: text,
}
export const Change = v.strictObject(newText)

export const Edit = v.strictObject({
  ...newText,
  /** Unified diff between the file and the text, without the names of files. */
  diff: text,
  /** Diagnostics that the fixture files would have. */
  diagnostics: v.array(DiagnosticInfo),
  /** The route that would answer the request; absent without one, and where its body is not kept as a whole. */
  answer: v.exactOptional(
    v.strictObject({
      answeredBy,
      route: v.exactOptional(v.strictObject({ id: text, name: text, ...position })),
    }),
  ),
  /** Only for a sad path. */
  scenario: v.exactOptional(text),
  /** Sentences: which conditions are gone, that the answer is an example, and what is left out of it. */
  notes: names,
  /** The fixture files that a route can be added to, relative to the project's root. */
  files: names,
})

export const ChangedFile = v.strictObject({
  /** Relative to the project's root. */
  file: text,
  /** The first line that differs, from 1. */
  line: positive,
})

export const NewFixture = v.strictObject({
  /** The id of the request it is written from. */
  request: integer,
  /** Relative to the folder of the fixture files; default: a name made from the path. */
  file: v.exactOptional(fileName),
  /** Only shows the YAML. */
  dryRun: v.exactOptional(v.boolean()),
})

export const WrittenFixture = v.strictObject({
  /** Relative to the project's root. */
  file: text,
  yaml: text,
  isWritten: v.boolean(),
  /** Note for the developer, such as that the answer is an example. */
  note: v.exactOptional(text),
})

export const ImportedFile = v.strictObject({
  /** Name of the file; the content decides what it is. */
  name: text,
  text,
  /** Only says what would be written. */
  dryRun: v.exactOptional(v.boolean()),
})

export const WrittenFiles = v.strictObject({
  /** Kind of the file with its article: `a Postman collection`. */
  kind: text,
  /** `23 of 27 answers written to 6 files; 4 left out.` */
  summary: text,
  /** Relative to the project's root. */
  files: v.array(v.strictObject({ file: text, routes: positive })),
  isWritten: v.boolean(),
  omitted: v.array(omission),
})
