import type { MockClient, RequestFilter, SadPath } from '../client.ts'
import { inTime } from '../wire/in-time.ts'

/** Options of `forEachSadPath`. */
export interface LoaderOptions {
  /** The classes of the errors that the loader throws on purpose. Default: none. */
  errors?: readonly (abstract new (...given: never[]) => unknown)[]
  /** Only sad paths of these kinds. Default: all. */
  kinds?: readonly SadPath['kind'][]
  /** Only sad paths of these requests. Default: all that the test has sent so far. */
  requests?: RequestFilter
  /** Milliseconds in which the loader has to settle. Default 5000. */
  timeout?: number
}

export async function forEachSadPath(
  mock: Pick<MockClient, 'sadPaths' | 'force'>,
  load: () => unknown,
  { errors = [], kinds, requests, timeout = 5000 }: LoaderOptions = {},
): Promise<void> {
  await load()
  const all = await mock.sadPaths(requests)
  const paths = all.filter(({ kind }) => kinds?.includes(kind) ?? true)
  if (paths.length === 0)
    throw new Error('The loader has sent no request whose answer can go wrong in one of the given ways.')
  const problems: string[] = []
  try {
    for (const path of paths) {
      await mock.force(path)
      const problem = await findProblem(load, errors, timeout)
      if (problem !== undefined) problems.push(`\n- ${path.request}: ${path.title}: ${problem}`)
    }
  } finally {
    await mock.force()
  }
  if (problems.length > 0)
    throw new Error(
      `The loader fails in ${problems.length} of ${paths.length} sad paths:${problems.join('')}`,
    )
}

async function findProblem(
  load: () => unknown,
  errors: NonNullable<LoaderOptions['errors']>,
  timeout: number,
): Promise<string | undefined> {
  const late = new Error(`it has not settled within ${timeout} ms`)
  try {
    await inTime(Promise.resolve().then(load), { milliseconds: timeout, error: () => late })
    return undefined
  } catch (error) {
    if (error === late) return late.message
    return errors.some((known) => error instanceof known) ? undefined : `it has thrown ${String(error)}`
  }
}
