import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import { readPackageFile } from '../../files/package-folder.ts'

/** Whether pages of a dev server get the badge. It leads to the inspector. */
export function hasBadge({ badge, enabled, inspector }: ResolvedOptions): boolean {
  return badge && enabled && inspector.dev
}

/** Added to the client of a dev server, which all its pages run. */
export function withBadge(client: string): string {
  return `${client}\n${readPackageFile('dist/badge/badge.js')}`
}
