import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { writeRoutesModule, type ModuleTarget, type RoutesModule } from '../../src/bundle/write-module.ts'
import { formatDiagnostic } from '../../src/core/diagnostics/format.ts'
import { resolveOptions } from '../../src/core/options/resolve-options.ts'
import type { Options } from '../../src/core/options/options.ts'
import type { FetchHandler } from '../../src/fetch.ts'
import type { Fixture } from '../../src/core/schema/schema.ts'
import { createTestProject, type TestProject } from '../hosts/test-project.ts'

export interface RunModule {
  routes: Fixture
  handler: FetchHandler
  get: (path: string, init?: RequestInit) => Promise<Response>
}

/** A project with its routes module. Its fixture files in code are JavaScript, since no bundler compiles them. */
export class ModuleProject {
  readonly #project: TestProject
  #runs = 0

  constructor(
    files: Record<string, string>,
    readonly options: Options = {},
  ) {
    this.#project = createTestProject(files)
    onTestFinished(this.#project.close)
  }

  get root(): string {
    return this.#project.root
  }

  write(target: Partial<ModuleTarget> = {}): Promise<RoutesModule> {
    const options = resolveOptions(this.options, { root: this.root, logger: console })
    return writeRoutesModule(options, { hasNode: false, ...target })
  }

  /** Writes the module, and imports it as Node does. */
  async run(target?: Partial<ModuleTarget>): Promise<RunModule> {
    const { code, diagnostics } = await this.write(target)
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    if (errors.length > 0) throw new Error(errors.map(formatDiagnostic).join('\n'))
    const file = join(this.root, `module-${this.#runs++}.mjs`)
    writeFileSync(file, code)
    const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Pick<
      RunModule,
      'routes' | 'handler'
    >
    const get = async (path: string, init?: RequestInit) => {
      const response = await module.handler(new Request(`http://localhost${path}`, init))
      if (!response) throw new Error(`nothing answers ${path}`)
      return response
    }
    return { ...module, get }
  }
}
