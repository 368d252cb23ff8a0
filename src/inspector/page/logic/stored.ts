import { attempt } from '../../../core/values/thrown.ts'

const prefix = 'mock-api-inspector:'

/** Value that this browser keeps for the page; `undefined` where storage is blocked. */
export function stored(key: string): string | undefined {
  return attempt(() => localStorage.getItem(prefix + key)) ?? undefined
}

export function store(key: string, value: string): void {
  // Where storage is blocked, it lasts until the page is closed.
  attempt(() => localStorage.setItem(prefix + key, value))
}
