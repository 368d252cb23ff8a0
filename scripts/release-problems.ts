export interface Manifest {
  version: string
  repository?: unknown
  publishConfig?: { provenance?: boolean }
}

/** Why a version can't be published yet. Each text says what to do. */
export function releaseProblems(manifest: Manifest, changelog: string, tag: string): string[] {
  const { version } = manifest
  const problems: string[] = []
  if (tag !== `v${version}`)
    problems.push(
      `The tag ${tag} is not v${version}, the version in package.json. Make it with "npm run release".`,
    )
  if (!changelog.split(/\r?\n/).includes(`## ${version}`))
    problems.push(`CHANGELOG.md has no section "## ${version}". Write it with "npm run release".`)
  return [...problems, ...addressProblems(manifest)]
}

export function addressProblems({ repository, publishConfig }: Manifest): string[] {
  if (!publishConfig?.provenance || repository) return []
  return ['npm signs the provenance only of a package with an address: add "repository" to package.json.']
}
