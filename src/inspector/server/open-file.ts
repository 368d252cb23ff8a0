import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import type { ApiRequest, InspectedServer } from './context.ts'
import { Problem } from './problem.ts'
import { checkBody } from './read-json.ts'
import { checkThisMachine } from './this-machine.ts'

const position = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)))
const schema = v.strictObject({ file: v.string(), line: position, column: position })

/** Opens a file in the editor of the user: only files that routes and diagnostics name. */
export function createEditorOpener(server: InspectedServer) {
  return async ({ req, body }: ApiRequest): Promise<{ opened: string }> => {
    const { file, line, column } = checkBody(schema, body)
    const { table, diagnostics } = server.store.current!
    const isKnown =
      table.endpoints.some(({ routes }) => routes.some(({ source }) => source.file === file)) ||
      diagnostics.some((diagnostic) => diagnostic.file === file)
    const path = resolve(server.options.root, file)
    if (!isKnown || !existsSync(path))
      throw new Problem(
        404,
        'api-file-unknown',
        `No route is in the file "${file}".`,
        'GET routes lists the files of the routes.',
      )
    checkThisMachine(req, 'open files in its editor')
    const place = [path, line, line === undefined ? undefined : (column ?? 1)].filter(
      (part) => part !== undefined,
    )
    await launch(place.join(':'))
    return { opened: place.join(':') }
  }
}

async function launch(place: string): Promise<void> {
  const { default: launchEditor } = await import('launch-editor')
  // It reports a missing editor right away, and nothing when it has found one.
  const failed = await new Promise<string | undefined>((done) => {
    launchEditor(place, undefined, (_file, message) => done(message ?? 'it could not be started'))
    setImmediate(done, undefined)
  })
  if (failed === undefined) return
  throw new Problem(
    409,
    'api-editor-unknown',
    `No editor was opened: ${failed.trim()}.`,
    'Set the variable LAUNCH_EDITOR to the command of your editor, such as "code".',
  )
}
