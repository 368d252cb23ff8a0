import { redactText } from '../core/redact/redact.ts'
import { plural } from '../core/values/describe-value.ts'
import { addTo } from '../core/values/collections.ts'
import { placeOfRoute, slug } from '../writer/endpoint-path.ts'
import type { WrittenFile } from '../writer/exchange/exchange.ts'
import { withLiteralBody } from '../writer/from-request.ts'
import type { HarFilter } from '../writer/har/har-filter.ts'
import { compareNaturally, Omissions, type Omission } from '../writer/omissions.ts'
import type { WrittenAnswer } from '../writer/write-answer.ts'
import { writeYaml } from '../writer/write-yaml.ts'

/** Wishes of the one who imports, and ways to tell and ask. */
export interface ImportContext extends Omit<HarFilter, 'only'> {
  only?: HarFilter['only'] | undefined
  /** The option `base` of the plugin, or the given one, in its canonical form. */
  base: string
  /** Whether the command itself has `base`: only then, all paths that are not below it are left out. */
  isBaseGiven: boolean
  /** Paths of GraphQL endpoints, if they are known. */
  graphqlPaths?: readonly string[]
  errors?: boolean | undefined
  collections?: boolean | undefined
  /** Whether requests without an answer may be sent. */
  send?: boolean | undefined
  note: (text: string) => void
  progress: (text: () => string) => void
  /** Absent where nobody can answer. */
  confirm?: ((question: string) => Promise<boolean>) | undefined
}

export interface Imported {
  files: readonly WrittenFile[]
  omitted: readonly Omission[]
  /** Answers in the file, and those among them that the fixture files give. */
  found: number
  written: number
  /** Paths of GraphQL endpoints; the option `graphql.path` has to name them. */
  graphqlPaths?: readonly string[]
  /** Maximum places that are listed for each omission. Default 3. */
  maxPlaces?: number
  /** Routes for requests that have no answer, in YAML. */
  drafts?: string
}

/** `23 of 27 answers written to 6 files; 4 left out.` */
export function summaryOf({ found, written, files }: Imported): string {
  const target = plural(files.filter(({ routes }) => routes > 0).length, 'file')
  const of = written === found ? plural(found, 'answer') : `${written} of ${plural(found, 'answer')}`
  return `${of} written to ${target}${written === found ? '' : `; ${found - written} left out`}.`
}

export interface ImportedEndpoint {
  name?: string
  method?: string
  /** The path, with its origin if that is not the application's own. */
  path: string
  when?: object
  scenario?: string | readonly string[]
  paginate?: object
  collection?: object
  repeat?: true
  invalid?: true
}

/** One file for all paths with the same first segment, unless the importer names it. */
export class ImportedRoutes implements Imported {
  readonly omissions = new Omissions()
  readonly graphqlPaths: string[] = []
  found = 0
  written = 0
  readonly #routes = new Map<string, object[]>()
  readonly #bodies: WrittenFile[] = []
  readonly #known = new Set<string>()
  /** Answers that several routes may have. */
  readonly #counted = new Set<object>()

  /**
   * @param given several are a sequence
   * @param isLiteral whether what is like a value from the request is sent as it is
   * @returns whether the route was added: of two for the same requests, the first answers
   */
  add(
    endpoint: ImportedEndpoint,
    given: Pick<WrittenAnswer, 'answer' | 'file'> | readonly WrittenAnswer[],
    name = nameFor(endpoint.path),
    isLiteral = true,
  ): boolean {
    const { name: title, method: own, path, ...rest } = endpoint
    const { when, scenario } = rest
    const method = own ?? (when && 'body' in when ? 'GET' : undefined) // that GET has a body is meant
    if (typeof scenario === 'string') rest.scenario = redactText(scenario)
    const key = JSON.stringify([method, path.replace(/:\w+/g, ':'), when, scenario])
    const fresh = [given].flat().filter((one) => !this.#counted.has(one))
    for (const one of fresh) this.#counted.add(one)
    this.found += fresh.length
    if (this.#known.has(key)) return false
    this.#known.add(key)
    this.written += fresh.length
    const number = (this.#routes.get(name)?.length ?? 0) + 1
    const responses = [given].flat().map(({ answer, file }, index): object => {
      if (!file) return isLiteral ? withLiteralBody(answer) : answer
      const body = `${name}-${number}${index === 0 ? '' : `-${index + 1}`}.${file.extension}`
      this.#bodies.push({ path: body, content: file.bytes, routes: 0 })
      return { ...answer, file: body }
    })
    const response: object = responses.length === 1 ? responses[0]! : responses
    const named = title === undefined ? {} : { name: redactText(title) }
    const route = { ...named, ...(method !== undefined && { method }), ...placeOfRoute(path), ...rest }
    addTo(this.#routes, name, Object.keys(response).length === 0 ? route : { ...route, response })
    return true
  }

  /** An answer is left out. */
  skip(what: string, why: string, where: string): void {
    this.found++
    this.omissions.add(what, why, where)
  }

  get omitted(): Omission[] {
    return this.omissions.list()
  }

  get files(): WrittenFile[] {
    const fixtures = [...this.#routes].map(([name, routes]) => ({
      path: `${name}.yaml`,
      content: writeYaml(routes),
      routes: routes.length,
    }))
    return [...fixtures, ...this.#bodies].sort((a, b) => compareNaturally(a.path, b.path))
  }
}

function nameFor(path: string): string {
  const segment = path.split('/').find((part) => slug(part) !== '' && !/^[:*]/.test(part))
  return slug(segment ?? '') || 'index'
}
