const prefix = 'mock-api-inspector:'

/** Value that this browser keeps for the page; `undefined` where storage is blocked. */
export function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(prefix + key) ?? undefined
  } catch {
    return undefined
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(prefix + key, value)
  } catch {
    // Storage is blocked: it lasts until the page is closed.
  }
}
