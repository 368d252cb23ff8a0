import { slug } from '../../writer/endpoint-path.ts'
import { UneditableError } from '../../writer/fixture-text.ts'
import type { JournalEntry } from '../journal.ts'
import { fileNameFor, writeFixture } from '../route-of-request.ts'
import type { SadPaths } from '../sad-paths.ts'
import { exampleFor, requestOf, type RoutesNow } from './request-now.ts'

/**
 * A new route for a recorded request.
 *
 * @param sadPath its answer goes wrong in that way, in a scenario
 * @throws UneditableError
 */
export async function writeRoute(
  now: RoutesNow,
  entry: JournalEntry,
  sadPath: string | undefined,
  sadPaths: SadPaths,
): Promise<{ definition: object; name: string; scenario?: string; notes: string[] }> {
  const request = requestOf(now, entry)
  const name = fileNameFor(request)
  const scenario = sadPath === undefined ? undefined : `${name}-${slug(sadPath.split(' #')[1] ?? '')}`
  const answered = sadPath === undefined ? entry : broken(entry, sadPath, sadPaths)
  const example = await exampleFor(now, request)
  const { definition, omitted, isExample } = writeFixture(answered, request, example, scenario)
  return {
    definition,
    name: scenario ?? name,
    ...(scenario !== undefined && { scenario }),
    notes: [
      ...(omitted.length > 0
        ? [`Credentials, and what differs with each answer, are left out: ${omitted.join(', ')}.`]
        : []),
      ...(isExample ? ['The answer is an example: nothing has answered this request.'] : []),
    ],
  }
}

/** The entry as if its answer had gone wrong. */
function broken(entry: JournalEntry, sadPath: string, sadPaths: SadPaths): JournalEntry {
  const response = sadPaths.brokenAnswer(entry, sadPath)
  if (response) return { ...entry, answeredBy: 'route', response, responseSize: response.body.length }
  throw new UneditableError(`its answer does not have the sad path "${sadPath}"`)
}
