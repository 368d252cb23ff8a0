import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { ModuleWorld } from '../../core/options/module-world.ts'
import { attempt } from '../../core/values/thrown.ts'
import { readConfig } from './read-config.ts'

/** Prefixes of what Vite and Rsbuild show to an application. */
const shown = /^(?:VITE|PUBLIC)_/

/** The world of a project without a dev server: tsconfig.json, what the text of a bundler's config says, and the values that Vite and Rsbuild would read from `.env`. */
export function projectWorld(root: string): ModuleWorld {
  // Not by its full name, for which a build puts a value. Vitest has a mode of its own.
  const { NODE_ENV = 'development', VITEST, MODE } = process.env
  const mode = (VITEST && MODE) || NODE_ENV
  const envFiles = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`].map((name) =>
    join(root, name),
  )
  const read = envFiles.map((file) => attempt(() => parseEnv(readFileSync(file, 'utf8'))))
  const given = Object.entries({ ...Object.assign({}, ...read), ...process.env } as NodeJS.Dict<string>)
  const config = readConfig(root)
  const isProduction = mode === 'production'
  return {
    ...config,
    folders: [],
    env: {
      BASE_URL: '/',
      MODE: mode,
      DEV: !isProduction,
      PROD: isProduction,
      SSR: false,
      ...Object.fromEntries(given.filter(([name]) => shown.test(name))),
    },
    envFiles,
    base: '/',
  }
}
