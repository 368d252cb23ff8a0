/* Requests for what is edited meanwhile. */
import { versionIn } from '../edits.mjs'

/**
 * @param {ReturnType<typeof import('../edits.mjs').editedFiles>} files
 * @returns {import('./index.mjs').SimpleKind[]}
 */
export function versionKinds(files) {
  return files.map((file) => ({
    name: `edited: ${file.name}`,
    weight: 3,
    mode: file.mode,
    make() {
      const { low, isThere, changes, emptied } = file
      return {
        send: file.ask,
        check(answer) {
          const version = versionIn(answer)
          if ((version === undefined || Number.isNaN(version)) && (emptied || file.emptied)) return undefined
          const wasThere = file.changes === changes ? isThere : undefined
          if (version === undefined)
            return wasThere === true ? `a version from ${low} on expected` : undefined
          if (wasThere === false) return 'the file is deleted'
          return version >= low && version <= file.high
            ? undefined
            : `a version from ${low} to ${file.high} expected`
        },
      }
    },
  }))
}
