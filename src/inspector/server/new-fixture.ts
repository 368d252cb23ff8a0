import { mkdirSync, existsSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { newFixturesFolder } from '../../loader/find-fixtures.ts'
import { displayPath, isInside } from '../../loader/paths.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { readRequest } from '../explain.ts'
import { rawRequestOf } from '../show-request.ts'
import type { WrittenFixture } from '../api.ts'
import { fileNameFor, writeFixture } from '../write-fixture.ts'
import type { ApiRequest, InspectedServer } from './context.ts'
import { Problem } from './problem.ts'
import { checkBody } from './read-json.ts'
import { findEntry } from './requests.ts'
import { checkThisMachine } from './this-machine.ts'

const schema = v.strictObject({
  request: v.pipe(v.number(), v.integer()),
  file: v.optional(v.pipe(v.string(), v.nonEmpty())),
  dryRun: v.optional(v.boolean()),
})

/** Writes a new fixture file from a recorded request: only into the folder of the fixtures, never over an existing file. */
export function createFixtureWriter(server: InspectedServer): (request: ApiRequest) => WrittenFixture {
  const { options, store } = server

  return ({ req, body }) => {
    const { request: id, file, dryRun = false } = checkBody(schema, body)
    const entry = findEntry(server, id)
    const { match } = entry
    if (!match) throw unwritable('no endpoint has its path, or its fixture file has changed since')
    const { body: sent } = entry
    if (sent && sent.bytes.length < sent.size)
      throw unwritable(`its body has ${sent.size} bytes and is not kept as a whole`)
    const read = readRequest(match, rawRequestOf(entry))
    if ('refused' in read) throw unwritable(`its body can't be read: ${read.refused}`)
    const written = writeFixture(entry, read.request)
    if ('reason' in written) throw unwritable(written.reason)
    const folder = newFixturesFolder(options)
    const path = file === undefined ? freePath(folder, fileNameFor(read.request)) : checkedPath(folder, file)
    const notes = [
      ...(written.isPlaceholder ? ['The answer is a placeholder: nothing has answered this request.'] : []),
      ...(entry.route?.selector
        ? [`The route "${entry.route.name}" matches too, and answers if its file comes first.`]
        : []),
      ...(store.current!.files.length === 0 && store.current!.hasTemplates
        ? ['With the first fixture file, the starter templates no longer answer.']
        : []),
    ]
    const result = {
      file: displayPath(options.root, path),
      yaml: written.yaml,
      isWritten: !dryRun,
      ...(notes.length > 0 && { note: notes.join(' ') }),
    }
    if (!dryRun) {
      checkThisMachine(req, 'write files')
      write(folder, path, written.yaml)
    }
    return result
  }
}

function unwritable(reason: string): Problem {
  return new Problem(
    409,
    'api-fixture-unwritable',
    `No fixture can be written: ${reason}.`,
    'Write the route by hand, or send the request again.',
  )
}

function freePath(folder: string, name: string): string {
  for (let number = 1; ; number++) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.yaml`)
    if (!existsSync(path)) return path
  }
}

function checkedPath(folder: string, file: string): string {
  const path = resolve(folder, file)
  const fix = `Give a path inside ${folder} that ends in .yaml, such as orders/failed.yaml.`
  if (file.includes('\0') || !isInside(folder, path) || !/\.ya?ml$/i.test(path))
    throw new Problem(400, 'api-file-invalid', `No fixture file can be written at "${file}".`, fix)
  if (existsSync(path)) throw exists(path)
  return path
}

function exists(path: string): Problem {
  return new Problem(
    409,
    'api-file-exists',
    `The file ${path} exists already.`,
    'Choose another name, or copy the YAML.',
  )
}

function write(folder: string, path: string, yaml: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    const parent = nearestFolder(dirname(path))
    // A link inside the folder may lead out of it.
    const real = realpathSync(parent)
    const realFolder = realpathSync(folder)
    if (real !== realFolder && !isInside(realFolder, real))
      throw new Problem(
        400,
        'api-file-invalid',
        `${path} is outside of the folder of the fixtures.`,
        `Choose a place inside ${folder}.`,
      )
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, yaml, { flag: 'wx' })
  } catch (error) {
    if (error instanceof Problem) throw error
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw exists(path)
    throw new Problem(
      409,
      'api-file-unwritable',
      `${path} can't be written: ${reasonOf(error)}.`,
      'Check the folder and its permissions, or copy the YAML.',
    )
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}
