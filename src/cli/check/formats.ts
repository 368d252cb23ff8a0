/** How `check` reports: as text, as one JSON object, or as annotations of GitHub Actions. */
export const formats = ['text', 'json', 'github'] as const
export type Format = (typeof formats)[number]
