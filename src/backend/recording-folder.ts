import { resolve } from 'node:path'
import type { ResolvedOptions } from '../core/options/options.ts'

/** Where recorded files are: in the first folder of fixtures, unless the option says otherwise. */
export function recordingFolder({ root, record, fixtures }: ResolvedOptions): string {
  if (record.folder !== undefined) return resolve(root, record.folder)
  const folder = fixtures.find(
    (place) => /^(?!!)[^*?{}[\]]+$/.test(place) && place !== 'templates' && !/\.\w+$/.test(place),
  )
  return resolve(root, folder ?? 'fixtures', 'recorded')
}
