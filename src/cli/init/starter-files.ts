import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { findFixtures, fixturePlaces } from '../../loader/find-fixtures.ts'
import { toPosix } from '../../loader/paths.ts'
import { templateFolder } from '../../loader/templates.ts'

const templates = ['graphql.yaml', 'items.yaml']
const schemaFile = 'node_modules/unplugin-mock-api/fixture.schema.json'

/**
 * The starter templates as files of the project, which it can edit.
 *
 * @param project the folder of package.json
 * @param root the folder that the bundler serves from
 * @returns absolute paths and texts; none if the project has fixture files
 */
export function starterFiles(project: string, root: string): { path: string; text: string }[] {
  const fixtures = ['fixtures']
  if (findFixtures(root, fixturePlaces({ root, fixtures })).files.length > 0) return []
  const folder = join(root, 'fixtures')
  // The first line tells editors where the schema is.
  const schema = toPosix(relative(folder, join(packagesOf(project), schemaFile)))
  return templates.map((name) => ({
    path: join(folder, name),
    text: readFileSync(join(templateFolder(), name), 'utf8').replace(/(?<=\$schema=)\S+/, schema),
  }))
}

/** The folder whose `node_modules` has this package, or will have it: in a workspace it may be a parent. */
function packagesOf(project: string): string {
  for (let folder = project; ; folder = dirname(folder)) {
    if (existsSync(join(folder, schemaFile))) return folder
    if (folder === dirname(folder)) return project
  }
}
