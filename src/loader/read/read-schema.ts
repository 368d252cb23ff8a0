import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { globSync } from 'tinyglobby'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { diagnoseGraphQL } from '../../core/diagnostics/graphql-texts.ts'
import type { SchemaSource } from '../../core/graphql-schema/build-schema.ts'
import { fixturePlaces } from '../find-fixtures.ts'
import { displayPath } from '../paths.ts'

/** The parts of the schema. If there are diagnostics, a part is missing. */
interface ReadSchema {
  sources: SchemaSource[]
  diagnostics: Diagnostic[]
  /** Absolute paths of the files that were found, readable or not. */
  files: string[]
}

const isSchemaFile = (path: string): boolean => ['.graphql', '.graphqls', '.gql'].includes(extname(path))

/**
 * Reads the option `graphql.schema`: an entry is a file, a glob, or a folder, which is searched at any depth. An entry that
 * begins with `!` excludes files. They may be outside the root, like the schema of another package. Never throws.
 */
export async function readSchema(root: string, places: readonly string[]): Promise<ReadSchema> {
  const { files, diagnostics } = findSchemaFiles(root, places)
  const read = await Promise.all(files.map((path) => readSource(path, displayPath(root, path))))
  return {
    sources: read.flatMap(({ source }) => source ?? []),
    diagnostics: [...diagnostics, ...read.flatMap(({ diagnostic }) => diagnostic ?? [])],
    files,
  }
}

/** Finds the schema files, sorted by path. */
export function findSchemaFiles(
  root: string,
  places: readonly string[],
): Pick<ReadSchema, 'files' | 'diagnostics'> {
  const isNegated = (place: string) => place.startsWith('!')
  const negated = places.filter(isNegated).map((place) => place.slice(1))
  const ignored = fixturePlaces({ root, fixtures: negated }).patterns
  const found = places.filter((place) => !isNegated(place)).map((place) => findAt(root, place, ignored))
  return {
    files: [...new Set(found.flatMap(({ files }) => files))].sort(),
    diagnostics: found.flatMap(({ diagnostic }) => diagnostic ?? []),
  }
}

function findAt(
  root: string,
  place: string,
  ignored: string[],
): { files: string[]; diagnostic?: Diagnostic } {
  const { patterns } = fixturePlaces({ root, fixtures: [place] })
  // The schema of an installed package has to be named explicitly.
  const ignore = place.includes('node_modules') ? ignored : [...ignored, '**/node_modules/**']
  const all = globSync(patterns, { cwd: root, ignore, absolute: true, expandDirectories: false }).map(
    (file) => resolve(file),
  )
  const files = all.filter(isSchemaFile)
  if (files.length > 0) return { files }
  const [only] = all
  return only === resolve(root, place)
    ? { files, diagnostic: unreadable(displayPath(root, only), `its name ends in "${extname(only)}".`) }
    : { files, diagnostic: diagnoseGraphQL('schema-not-found', {}, { place }) }
}

async function readSource(
  path: string,
  file: string,
): Promise<{ source?: SchemaSource; diagnostic?: Diagnostic }> {
  try {
    return { source: { file, text: (await readFile(path, 'utf8')).replace(/^\uFEFF/, '') } }
  } catch (error) {
    return { diagnostic: unreadable(file, (error as Error).message) }
  }
}

function unreadable(file: string, reason: string): Diagnostic {
  return diagnoseGraphQL('schema-unreadable', { file }, { reason })
}
