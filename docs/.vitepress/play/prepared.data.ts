import type { RequestDetails } from '../../../src/inspector/api/api.ts'
import { readYaml } from '../../../src/reader/read-yaml.ts'
import { createPlayServer, type Prepared } from './play-server.ts'
import { homeExample, startingPoints } from './starting-points.ts'

/** What the build of the site has read and asked: what opens without a link is answered before its server has started. */
export declare const data: {
  /** Texts whose answer waits for no parser of YAML, by the id of the starting point. */
  read: Record<string, Prepared>
  /** Answers of the same server, by the same id. */
  answers: Record<string, RequestDetails>
}

export default {
  async load(): Promise<typeof data> {
    const read = await ofEach([...startingPoints, homeExample], readText)
    const answers = await ofEach([startingPoints[0]!, homeExample], askFirst)
    return { read, answers }
  },
}

type Example = typeof homeExample

async function readText({ id, file, text }: Example): Promise<Prepared> {
  const source = await readYaml(text, file)
  if (!('value' in source))
    throw new Error(`The starting point ${id} cannot be read: ${source.diagnostic.message}`)
  const list = source.value as unknown[]
  return { list, places: list.map((_, index) => source.locate([index], 'value')) }
}

async function askFirst({ requests: [first], ...file }: Example): Promise<RequestDetails> {
  const server = createPlayServer()
  await server.load(file)
  const asked = await server.ask({ ...first!, headers: {} }, new AbortController().signal)
  const details = server.detailsOf(asked)
  delete details.duration
  return { ...details, time: 0 } // two builds are the same
}

async function ofEach<T>(
  examples: Example[],
  make: (one: Example) => Promise<T>,
): Promise<Record<string, T>> {
  return Object.fromEntries(
    await Promise.all(examples.map(async (one) => [one.id, await make(one)] as const)),
  )
}
