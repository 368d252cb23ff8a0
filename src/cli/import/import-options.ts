/** Options that every importer has. */
export interface ImportOptions {
  root?: string
  /** The folder of the fixture files. */
  out: string
  force?: boolean
  dryRun?: boolean
}

/** What an importer has made. */
export interface Imported {
  files: readonly ImportedFile[]
  omitted: readonly ImportOmission[]
  /** What the developer should know or do. */
  notes?: readonly string[]
}

export interface ImportedFile {
  /** Relative to the folder of the fixtures. */
  path: string
  content: string | Uint8Array
  routes: number
}

export interface ImportOmission {
  what: string
  why: string
  where: string
}
