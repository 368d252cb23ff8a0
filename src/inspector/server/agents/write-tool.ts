import * as v from 'valibot'
import { apiSchemas } from '../../api/schemas.ts'
import { integer, positive, text } from '../../api/shapes.ts'
import { about, tool } from './tool.ts'
import { isError } from '../../../core/diagnostics/severity.ts'

const edit = v.omit(apiSchemas.Edit, ['text', 'version'])

export const writeFixture = tool({
  name: 'write_fixture',
  title: 'Write a fixture',
  description:
    'Writes routes into a fixture file, and returns the difference. It is checked before: a text with an error is not written. Either `file` and `routes`, a YAML list of routes; or `request`, the id of a recorded request: alone, a new route with its answer or an example; with `route`, that route is changed to match it; with `sadPath`, a route that goes wrong in that way, in a scenario. An existing route is only replaced with replace: true. The running server uses the file at once. resource mock-api://docs/fixture-reference has all keys.',
  example: {
    file: 'fixtures/orders.yaml',
    routes:
      '- name: no orders\\n  path: /orders\\n  when: { query: { state: sold } }\\n  response: { body: [] }\\n',
  },
  changes: true,
  input: v.strictObject({
    file: about(
      text,
      'The YAML or JSON file, relative to the root of the project. A new one is YAML, in the folder of the fixtures.',
    ),
    routes: about(text, 'A YAML list of routes, for `file`.'),
    replace: about(
      v.boolean(),
      'Routes of `file` with the same method, path, and name or selector are replaced. Default false.',
    ),
    request: about(integer, 'The id of a recorded request.'),
    route: about(text, 'With `request`: the id of the route that is changed to match it.'),
    sadPath: about(text, 'With `request`: the id of a sad path, as explain_request lists them.'),
    dryRun: about(v.boolean(), 'Only shows the difference. Default false.'),
  }),
  output: v.strictObject({
    ...edit.entries,
    isWritten: v.boolean(),
    /** The first line that differs. */
    line: v.exactOptional(positive),
  }),
  async run(call, { dryRun = false, ...asked }) {
    const { text, version, ...shown } = await call('POST /edit', { body: asked })
    const isWrong = shown.diagnostics.some(isError)
    if (dryRun || isWrong) return { ...shown, isWritten: false }
    const written = await call('PUT /edit', { body: { file: shown.file, text, version } })
    return { ...shown, ...written, isWritten: true }
  },
})
