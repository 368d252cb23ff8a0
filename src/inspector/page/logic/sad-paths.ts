import { writtenPath } from '../../../core/sad-path/positions.ts'
import type { RequestDetails } from '../../api/api.ts'

/** `data.friends[].name` for the second friend's name, as ids of sad paths have it; without `data` in GraphQL. */
export function positionOf(
  path: readonly (string | number)[],
  { operationType, operationName }: Pick<RequestDetails, 'operationType' | 'operationName'>,
): string {
  const isGraphQL = operationType !== undefined || operationName !== undefined
  return writtenPath(isGraphQL && path[0] === 'data' ? path.slice(1) : path).replace(/\[\d+\]/g, '[]')
}

/** Sad paths at the picked position, then at its parents. */
export function pathsAt<T extends { id: string }>(paths: readonly T[], picked: string): T[] {
  return paths
    .map((path) => ({ path, position: positionIn(path.id) }))
    .filter(({ position }) => {
      const isPrefix = position !== '' && picked.startsWith(position)
      return isPrefix && ['', '.', '['].includes(picked.charAt(position.length))
    })
    .sort((a, b) => b.position.length - a.position.length)
    .map(({ path }) => path)
}

function positionIn(id: string): string {
  const [, position = ''] =
    / #(?:null|missing|empty|long|list \w+|page \w+) (.+?)(?: middle| last)?$/.exec(id) ?? []
  return position
}
