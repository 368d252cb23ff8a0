import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isReallyInside } from '../../../files/links.ts'
import { checkThisMachine } from '../access.ts'
import type { ApiHandlers, InspectedServer } from '../context.ts'
import { HttpError } from '../json.ts'

/** Sources of the project, at which a report of `explore` points. */
const source = /^(?!.*\bnode_modules\b).*\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/

/** Opens only files that routes and diagnostics name, and sources of the project. */
export function createEditorOpener(server: InspectedServer): ApiHandlers['POST /open'] {
  return async ({ req, body: { file, line, column } }) => {
    const { table, diagnostics } = server.store.current!
    const isKnown =
      table.endpoints.some(({ routes }) => routes.some(({ source }) => source.file === file)) ||
      diagnostics.some((diagnostic) => diagnostic.file === file)
    const path = resolve(server.options.root, file)
    const isSource = source.test(file) && isReallyInside(server.options.root, path)
    if (!(isKnown || isSource) || !existsSync(path))
      throw new HttpError(404, 'api-file-unknown', {
        message: `No route is in the file "${file}".`,
        fix: 'GET routes lists the files of the routes.',
      })
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
  // A missing editor is reported right away, a found one never.
  const failed = await new Promise<string | undefined>((done) => {
    launchEditor(place, undefined, (_file, message) => done(message ?? 'it could not be started'))
    setImmediate(done, undefined)
  })
  if (failed === undefined) return
  throw new HttpError(409, 'api-editor-unknown', {
    message: `No editor was opened: ${failed.trim()}.`,
    fix: 'Set the variable LAUNCH_EDITOR to the command of your editor, such as "code".',
  })
}
