import { addTo } from '../../core/values/collections.ts'
import { slug } from '../../writer/endpoint-path.ts'
import { compareText } from '../../writer/omissions.ts'
import type { WrittenAnswer } from '../../writer/write-answer.ts'
import { writeYaml } from '../../writer/write-yaml.ts'
import type { ImportedFile } from './import-options.ts'

/** Collects routes into fixture files: one for all paths with the same first segment. */
export class RouteFiles {
  readonly #routes = new Map<string, object[]>()
  readonly #bodies: ImportedFile[] = []
  readonly #known = new Set<string>()

  /**
   * @param endpoint everything of the route but its response
   * @returns whether it was added: of two routes for the same requests, the first answers
   */
  add<T extends { path: string; method?: string; when?: object; scenario?: string | readonly string[] }>(
    endpoint: T,
    { answer, file }: Pick<WrittenAnswer, 'answer' | 'file'>,
  ): boolean {
    const { method, path, when, scenario } = endpoint
    const key = JSON.stringify([method, path.replace(/:\w+/g, ':'), when, scenario])
    if (this.#known.has(key)) return false
    this.#known.add(key)
    const segment = endpoint.path.split('/').find((part) => slug(part) !== '' && !/^[:*]/.test(part))
    const name = slug(segment ?? '') || 'index'
    const number = (this.#routes.get(name)?.length ?? 0) + 1
    const response: object = file ? { ...answer, file: `${name}-${number}.${file.extension}` } : answer
    if (file)
      this.#bodies.push({ path: `${name}-${number}.${file.extension}`, content: file.bytes, routes: 0 })
    const isEmpty = Object.keys(response).length === 0
    addTo(this.#routes, name, isEmpty ? endpoint : { ...endpoint, response })
    return true
  }

  list(): ImportedFile[] {
    const fixtures = [...this.#routes].map(([name, routes]) => ({
      path: `${name}.yaml`,
      content: writeYaml(routes),
      routes: routes.length,
    }))
    return [...fixtures, ...this.#bodies].sort((a, b) => compareText(a.path, b.path))
  }
}
