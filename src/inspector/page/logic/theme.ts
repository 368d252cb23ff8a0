const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'mock-api-inspector:theme'

/** The stored theme; `system` if none is stored or storage is blocked. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return themes.find((theme) => theme === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  try {
    localStorage.setItem(key, theme)
  } catch {
    // Storage is blocked: the theme lasts until the page is closed.
  }
}

export function nextTheme(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length]!
}
